// The type of bytes in memory that will be reused.
declare const transient: unique symbol;

/** Valid until the next call of the function that returned them: to be sent or copied at once, never stored. */
export type Transient<Bytes extends Uint8Array = Buffer> = Bytes & { readonly [transient]: true };
