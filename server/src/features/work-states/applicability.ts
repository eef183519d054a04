import { type RawBuilder, sql } from 'kysely'

type Column = (name: string) => RawBuilder<unknown>

/** When a package is not for a computer, and the sentence that says so. */
type Mismatch = Record<'condition' | 'sentence', (ofPackage: Column, computer: Column) => RawBuilder<unknown>>

const otherArchitecture: Mismatch = {
  condition: (ofPackage, computer) => sql`(
    ${ofPackage('for_architecture')} is not null and not coalesce(case when ${ofPackage('kind')} = 'LanguagePack'
      then ${ofPackage('for_architecture')} = ${computer('system_architecture')}
      else processor_family(${ofPackage('for_architecture')}) = ${computer('processor')} end, true))`,
  sentence: (ofPackage, computer) => sql`
    concat('It is for the architecture ', ${ofPackage('for_architecture')}, '; the computer has ',
      ${computer('architecture')}, '.')`,
}

/**
 * Which packages are for a computer, in one place. What is not for a computer is never work, so it is neither handed out nor
 * pending nor failed; explanations and counts call it not applicable.
 *
 * - Software is for the operating systems that its manifest names. A language pack is also for the system of its image, and
 *   either for servers or for workstations.
 * - A language pack is for the architecture of the operating system. Operating systems and boot images are for the family of
 *   the processor, and only for computers that support PXE.
 *
 * What is unknown keeps nothing from a computer: the agent still refuses what is for another system.
 */
const mismatches: readonly Mismatch[] = [
  {
    condition: (ofPackage, computer) => sql`(
      ${ofPackage('for_systems')} is not null
        and not coalesce(${ofPackage('for_systems')} && ${computer('system_names')}, true)
      or ${ofPackage('for_image_systems')} is not null
        and not coalesce(${ofPackage('for_image_systems')} && ${computer('system_names')}, true))`,
    sentence: (ofPackage, computer) => sql`
      concat('It is for ', coalesce(${ofPackage('manifest')} #>> '{image,os}',
        array_to_string(${ofPackage('operating_systems')}, ', ')), '; the computer runs ', ${computer('system_title')}, '.')`,
  },
  {
    condition: (ofPackage, computer) => sql`not coalesce(${ofPackage('for_server')} = ${computer('is_server')}, true)`,
    sentence: (ofPackage, computer) => sql`
      concat('It is for the type ', ${ofPackage('manifest')} #>> '{image,osType}', '; the computer runs ',
        ${computer('system_title')}, '.')`,
  },
  otherArchitecture,
  {
    condition: (ofPackage, computer) => sql`(
      coalesce(${ofPackage('kind')} in ('OperatingSystem', 'PxeBootImage'), false) and not ${computer('pxe_support')})`,
    sentence: () => sql`'The computer does not support PXE.'`,
  },
]

const columnOf =
  (alias: string): Column =>
  (name) =>
    sql.ref(`${alias}.${name}`)

/** Whether a package is for a computer. Takes the alias of `packages`, and that of `computer_platforms`. */
export function isApplicable(ofPackage: string, computer: string): RawBuilder<boolean> {
  const conditions = mismatches.map(({ condition }) => condition(columnOf(ofPackage), columnOf(computer)))
  return sql<boolean>`not (${sql.join(conditions, sql` or `)})`
}

/** Whether a package is for the architecture of a computer, whatever else it is for. Takes the same aliases. */
export function isForArchitecture(ofPackage: string, computer: string): RawBuilder<boolean> {
  return sql<boolean>`not ${otherArchitecture.condition(columnOf(ofPackage), columnOf(computer))}`
}

/** Why a package is not for a computer, as a sentence; null if it is. Takes the same aliases. */
export function mismatchSentence(ofPackage: string, computer: string): RawBuilder<string | null> {
  const cases = mismatches.map(({ condition, sentence }) => {
    const columns = [columnOf(ofPackage), columnOf(computer)] as const
    return sql`when ${condition(...columns)} then ${sentence(...columns)}`
  })
  return sql<string | null>`case ${sql.join(cases, sql` `)} else ${unmetCondition(ofPackage, computer)} end`
}

/**
 * Why a computer does not meet the conditions of the manifest, as a sentence; null if it does. Takes the same aliases. Unlike the
 * operating system, such conditions are about installing: a computer that no longer meets them can still uninstall a package.
 */
export function unmetCondition(ofPackage: string, computer: string): RawBuilder<string | null> {
  const conditions = sql.ref(`${ofPackage}.conditions`)
  return sql<string | null>`case when ${conditions} is not null
    then unmet_condition(${conditions}, ${sql.ref(`${computer}.computer_id`)}) end`
}

/** Whether a package is for a computer and may be installed there now. Takes the same aliases. */
export function isInstallable(ofPackage: string, computer: string): RawBuilder<boolean> {
  return sql<boolean>`(${isApplicable(ofPackage, computer)} and ${unmetCondition(ofPackage, computer)} is null)`
}

/** The columns of `packages` that `isApplicable` compares, for relations that take the place of the table. */
export const applicabilityColumns = [
  'kind',
  'for_systems',
  'for_image_systems',
  'for_server',
  'for_architecture',
  'conditions',
] as const
