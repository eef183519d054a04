/** Rounds to two decimals. */
export function round(value: number): number {
  return Number(value.toFixed(2))
}
