import { NumberInput, SimpleGrid } from '@mantine/core'
import { NamedField } from '../../components/named-field.tsx'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Rollout } from './describe.ts'

type Values = Rollout['criteria']

export const criteriaNames = [
  'minSuccessPercent',
  'minResults',
  'soakMinutes',
  'awayHours',
  'maxFailurePercent',
  'sharedCauseComputers',
  'silentComputers',
  'silentAfterMinutes',
  'bootFailures',
  'bootTimeoutMinutes',
] as const satisfies (keyof Values)[]

export type CriterionName = (typeof criteriaNames)[number]

/** Criteria as they are typed. Null: the field is empty. */
export type TypedCriteria = Record<CriterionName, number | null>

/** An empty field switches these limits off. */
const optional: readonly CriterionName[] = [
  'maxFailurePercent',
  'sharedCauseComputers',
  'silentComputers',
  'bootFailures',
]
const minimum: Partial<Values> = { soakMinutes: 0, maxFailurePercent: 0, silentAfterMinutes: 5, bootTimeoutMinutes: 5 }

/** The value in minutes, if it is a duration. */
export function minutesOf(name: CriterionName, value: number): number | undefined {
  if (name.endsWith('Hours')) return value * 60
  return name.endsWith('Minutes') ? value : undefined
}

export function areCriteriaComplete(values: TypedCriteria): boolean {
  return criteriaNames.every((name) => optional.includes(name) || values[name] !== null)
}

type CriteriaFieldsProps = {
  names?: readonly CriterionName[]
  values: TypedCriteria
  onChange: (change: Partial<TypedCriteria>) => void
}

export function CriteriaFields({ names = criteriaNames, values, onChange }: CriteriaFieldsProps) {
  const rollouts = useRolloutTexts()
  const { common } = useTexts()
  const texts = rollouts.criteria
  const inWords = (name: CriterionName) => {
    const minutes = minutesOf(name, values[name] ?? 0) ?? 0
    return minutes > 60 ? { description: `= ${common.duration(minutes)}` } : {}
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
      {names.map((name) => (
        <NamedField key={name} name={name}>
          <NumberInput
            label={texts[name]}
            {...inWords(name)}
            {...(optional.includes(name) && { placeholder: texts.never })}
            allowDecimal={false}
            min={minimum[name] ?? 1}
            {...(name.endsWith('Percent') && { max: 100 })}
            value={values[name] ?? ''}
            onChange={(value) => onChange({ [name]: value === '' ? null : Number(value) })}
          />
        </NamedField>
      ))}
    </SimpleGrid>
  )
}
