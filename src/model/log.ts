// The port of the program's log: what the engine's parts say to whoever runs it.

export interface EngineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
