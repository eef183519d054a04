/**
 * Begins what a spreadsheet would evaluate: a formula, or blanks and separators before one. Spreadsheets of many countries separate
 * by semicolons. Includes the full-width forms.
 */
const formulaStart = /^[\s\0;,]*[=+\-@＝＋－＠]|^[\t\r]/

/**
 * A text as a field of CSV (RFC 4180). Computers and their users choose many of these texts, so one that a spreadsheet would evaluate
 * as a formula gets an apostrophe in front: spreadsheets then show it as text.
 */
export function csvField(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text
  return /[",;\r\n\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
