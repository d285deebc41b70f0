// The part of koffi in use. It is an optional dependency: if it is not installed its own types are missing, and the
// program still compiles.
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
