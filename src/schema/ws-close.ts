// The one table of WebSocket close codes.
export const WS_CLOSE = {
  shutdown: 1001,
  unauthorized: 4001,
  noStreaming: 4003,
  tooSlow: 4008,
  flood: 4009,
  tooMany: 4029,
} as const;
