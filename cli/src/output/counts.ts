/** A number of things: `1 computer`, `2 computers`. */
export const countOf = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`
