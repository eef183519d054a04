/** A field of the form, and how its value is displayed. */
export type ShownField<Values> = {
  name: keyof Values & string
  label: string
  show: (values: Values) => string
  /** Combines two changes of the same base. Without it, a person chooses between them. */
  merge?: (versions: Versions<Values>) => Partial<Values>
}

/** What was loaded, what the form contains, and what someone else has saved since. */
export type Versions<Values> = { base: Values; mine: Values; theirs: Values }

/** Which change of a field is kept. A field that both have changed needs a choice, unless the changes can be combined. */
export type Outcome = 'mine' | 'theirs' | 'both' | 'choice'

export function outcomeOf<Values>({ show, merge }: ShownField<Values>, versions: Versions<Values>): Outcome {
  const { base, mine, theirs } = versions
  if (show(mine) === show(base)) return 'theirs'
  if (show(theirs) === show(base)) return 'mine'
  return merge ? 'both' : 'choice'
}

/** The values of the field after the merge; undefined while a choice is missing. */
export function resolve<Values>(
  field: ShownField<Values>,
  versions: Versions<Values>,
  chosen: 'mine' | 'theirs' | undefined,
): Partial<Values> | undefined {
  const outcome = outcomeOf(field, versions)
  if (outcome === 'both') return field.merge?.(versions)
  const side = outcome === 'choice' ? chosen : outcome
  return side && ({ [field.name]: versions[side][field.name] } as Partial<Values>)
}

/** Adds what either side has added, and removes what either side has removed. */
export function mergeSets<T>(base: readonly T[], mine: readonly T[], theirs: readonly T[]): T[] {
  const kept = base.filter((one) => mine.includes(one) && theirs.includes(one))
  const added = [...mine, ...theirs].filter((one) => !base.includes(one))
  return [...new Set([...kept, ...added])]
}
