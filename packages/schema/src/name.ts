/**
 * A name in the one form in which it is stored, compared and searched: composed characters (NFC), no line breaks and tabs
 * within, no blanks around. The function `normal_name` of the database does the same.
 */
export function toName(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\s*[\t\n\v\f\r\u0085\u2028\u2029]\s*/g, ' ')
    .trim()
}
