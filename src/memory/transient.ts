// Bytes in memory that is used again.
declare const transient: unique symbol;

/** Good until the next call of what gave them: to be sent or copied at once, never kept. */
export type Transient<Bytes extends Uint8Array = Buffer> = Bytes & { readonly [transient]: true };
