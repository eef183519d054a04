/** A number of things: `1 change`, `2 changes`. */
export const countOf = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`
