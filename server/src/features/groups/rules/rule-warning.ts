import { closed, enumOf, extensionKeyword, nullable, type Static, text } from '../../../platform/schema.ts'

/** What agents can do with rules on properties that they report, and what to do about it. */
const warnings = {
  ReportedProperties:
    'Computers report their operating system, model and network themselves. An agent that reports something false joins this ' +
    'group and gets what the group assigns. Select members by name or tag before this group, or one above it, gets secret values.',
  ReportedPropertiesGiveSecrets:
    'Computers report their operating system, model and network themselves. An agent that reports something false joins this ' +
    'group and gets the secret values that the group has or inherits. Select members by name or tag, or set the secret values ' +
    'on another group.',
  SecretForReportedProperties:
    'A rule adds computers to this group, or to one below it, by what they report about themselves. An agent that reports ' +
    'something false joins and gets this secret value. Select members by name or tag, or set the value on another group.',
}

const codes = Object.keys(warnings) as (keyof typeof warnings)[]

const Warning = closed(
  {
    code: enumOf(codes, { title: 'ReportedPropertiesWarningCode', description: 'Which sentence it is' }),
    message: text(1_000, warnings.ReportedPropertiesGiveSecrets, 'What may happen, and what to do, in a sentence'),
  },
  {
    title: 'ReportedPropertiesWarning',
    description: 'Set if computers can choose by what they report whether they become members',
  },
)

export const ReportedPropertiesWarning = nullable({ ...Warning, [extensionKeyword]: true })

export type RuleWarning = Static<typeof ReportedPropertiesWarning>

export const warningOf = (code: keyof typeof warnings): RuleWarning => ({ code, message: warnings[code] })
