// The one door to uWebSockets.js. It reads its limit for request line and headers from the environment when it is loaded,
// and its own 4 KiB would refuse lists of events in a query: so the limit is set first. Beyond it uWebSockets answers 431.
process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= '32768';

export const { App, us_listen_socket_close, us_socket_local_port } = await import('uWebSockets.js');
