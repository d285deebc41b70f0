// What `overround` alone prints: how to begin.

/** @param command as it can be typed here: `overround`, or `npx overround` */
export function howToBegin(command: string, version: string): string {
  return `overround ${version}: a real-time sports odds engine

  ${command} serve
      a simulated market with moving prices; prints keys and lines to try
  ${command} serve --feed polymarket --feed kalshi
      real odds of two venues, without an account
  ${command} keys create --tier enterprise --streaming
      a key for real odds, while the server runs or before

Then open http://127.0.0.1:8080/dashboard, or http://127.0.0.1:8080/docs, whose first page takes ten minutes.
${command} --help lists all commands and settings.
`;
}
