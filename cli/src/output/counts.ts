/** A number of things: `1 computer`, `2 computers`. */
export const formatCount = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`
