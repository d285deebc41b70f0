// What of koffi is used. It is an optional dependency: where it was not installed its own types are missing, and the
// program compiles all the same.
declare module 'koffi' {
  export interface Library {
    func(prototype: string): (...args: unknown[]) => number | bigint;
  }
  const koffi: {
    load(path: null): Library;
    address(pointer: unknown): bigint;
    view(pointer: unknown, bytes: number): ArrayBuffer;
  };
  export default koffi;
}
