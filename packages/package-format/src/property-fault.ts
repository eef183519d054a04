/** What is wrong with a property. `predicate` ends a sentence that begins with it. */
export type PropertyFault = { property: string; predicate: string }

export const fault = (property: string, predicate: string): PropertyFault => ({ property, predicate })
