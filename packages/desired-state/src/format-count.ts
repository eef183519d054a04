/** A number of things: `1 change`, `2 changes`. */
export const formatCount = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`
