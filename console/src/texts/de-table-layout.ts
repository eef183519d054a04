import type { enTableLayout } from './en-table-layout.ts'

export const deTableLayout: typeof enTableLayout = {
  title: 'Spalten',
  density: 'Zeilenabstand',
  densities: { Comfortable: 'Normal', Compact: 'Kompakt' },
  pin: (column) => `${column} anheften`,
  hint: 'Angeheftete Spalten bleiben neben dem Namen sichtbar. Die Breite ändern Sie am Rand einer Spalte; ein Doppelklick passt sie an.',
  reset: 'Standardspalten',
  resize: (column) => `Breite von ${column}`,
  resizeHint: 'Ziehen oder mit den Pfeiltasten ändern. Ein Doppelklick passt die Spalte an.',
  pixels: (width) => `${width} Pixel`,
}
