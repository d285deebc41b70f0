// Google Apps Script: puts best prices, or any table of the server, into a sheet, with the key in the script's properties and
// not in a cell. Extensions > Apps Script, paste, then in Project Settings add the properties OVERROUND_URL (https://…) and
// OVERROUND_KEY; run refresh() once, and by a trigger every minute.

/** The best moneylines of a league in the sheet "odds", and arbitrages in "arbitrage". */
function refresh() {
  put('odds', '/odds/best', { league: 'nba', market: 'moneyline', limit: 200 });
  put('arbitrage', '/opportunities/arbitrage', { limit: 100 });
}

/** A table of the server, from the first cell of a sheet on. What stood there before goes, also where fewer rows come. */
function put(name, path, filters) {
  const rows = table(path, filters);
  const book = SpreadsheetApp.getActiveSpreadsheet();
  const sheet = book.getSheetByName(name) || book.insertSheet(name);
  sheet.clearContents();
  if (rows.length > 0) sheet.getRange(1, 1, rows.length, rows[0].length).setValues(rows);
}

/** Rows of cells, the first one the columns' names. */
function table(path, filters) {
  const properties = PropertiesService.getScriptProperties();
  const asked = Object.entries({ ...filters, format: 'csv' })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const url = `${properties.getProperty('OVERROUND_URL')}/api/v1${path}?${asked}`;
  const headers = { 'X-API-Key': properties.getProperty('OVERROUND_KEY') };
  for (let tries = 0; ; tries++) {
    const answer = UrlFetchApp.fetch(url, { headers, muteHttpExceptions: true });
    const status = answer.getResponseCode();
    if (status === 200) return Utilities.parseCsv(answer.getContentText());
    const wait = Number(answer.getHeaders()['Retry-After'] || answer.getHeaders()['retry-after'] || 1);
    if (tries >= 3 || ![429, 502, 503, 504].includes(status)) throw new Error(`${status}: ${answer.getContentText()}`);
    Utilities.sleep(wait * 1000);
  }
}
