/** Texts of how people lay out long tables. */
export const enTableLayout = {
  title: 'Columns',
  density: 'Density',
  densities: { Comfortable: 'Comfortable', Compact: 'Compact' },
  pin: (column: string) => `Pin ${column}`,
  hint: 'Pinned columns stay in sight beside the name. Drag the border of a column to resize it; a double click fits it.',
  reset: 'Standard columns',
  resize: (column: string) => `Width of ${column}`,
  resizeHint: 'Drag to resize, or use the arrow keys. A double click fits the column.',
  pixels: (width: number) => `${width} pixels`,
}
