// Errors of the MCP endpoint in the form of JSON-RPC. Errors of tool calls are results instead (tools.ts).
import type { ApiError } from '../../base/model/errors.js';

export const RPC = {
  parse: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internal: -32_603,
  /** The range for a server's own errors; `data.code` says which. */
  refused: -32_000,
  noSession: -32_001,
} as const;

/** @param id of the request, as it was sent */
export function rpcError(code: number, message: string, data?: object, id: unknown = null): object {
  return {
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
}

/** An ApiError, with the error of the REST body as `data`. */
export function rpcErrorOf(error: ApiError): object {
  const code =
    error.code === 'invalid_request'
      ? RPC.invalidRequest
      : error.code === 'internal_error'
        ? RPC.internal
        : RPC.refused;
  return rpcError(code, error.message, error.toBody().error);
}
