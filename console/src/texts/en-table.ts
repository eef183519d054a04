const number = (n: number) => n.toLocaleString('en')

/** Texts of the long tables that all pages share. */
export const enTable = {
  select: (name: string) => `Select ${name}`,
  selectAll: (rows: number) => `Select all ${number(rows)}`,
  selectNone: 'Clear the selection',
  selecting: (done: number, rows: number) => `Selecting ${number(done)} of ${number(rows)}`,
  selectFailed: 'Not all rows could be read, so the selection was not changed.',
  selection: 'Selection',
  loadingRow: 'Loading',
  keys: 'Arrow keys move between rows, Space selects, Shift with Space or an arrow selects a range, Enter opens the row.',
}
