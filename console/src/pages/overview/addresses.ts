/** The address of the list of computers with a filter; the names are those of the API. */
export function computersWith(filter: Record<string, readonly string[]>): string {
  const parameters = Object.entries(filter).flatMap(([name, values]) => values.map((value) => [name, value]))
  return `/computers?${new URLSearchParams(parameters)}`
}
