import { Button, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api } from '../../api/client.ts'
import { Facts } from '../../components/facts.tsx'
import { IconPencil } from '../../components/icons.ts'
import { Section } from '../../components/section.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { hasEnded, type Rollout } from './describe.ts'

type Values = Rollout['criteria']
type CriteriaProps = { rollout: Rollout; etag: string }

const names = [
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

/** An empty field switches these limits off. */
const optional: readonly string[] = ['maxFailurePercent', 'sharedCauseComputers', 'silentComputers', 'bootFailures']
const minimum: Partial<Record<keyof Values, number>> = {
  soakMinutes: 0,
  maxFailurePercent: 0,
  silentAfterMinutes: 5,
  bootTimeoutMinutes: 5,
}

/** When the rollout goes on and when it pauses itself. */
export function Criteria({ rollout, etag }: CriteriaProps) {
  const { criteria: texts, actions } = useTexts().rollouts
  const format = useFormat()
  const [isOpen, panel] = useDisclosure()
  const mayEdit = useHasRole('activation.execute') && !hasEnded(rollout)
  const shownValue = (name: keyof Values) => {
    const value = rollout.criteria[name]
    return value === null ? texts.never : format.number(value)
  }
  return (
    <Section
      title={texts.title}
      actions={
        mayEdit && (
          <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={panel.open}>
            {actions.edit}
          </Button>
        )
      }
    >
      <Facts rows={names.map((name) => [texts[name], shownValue(name)])} />
      {isOpen && <EditCriteria rollout={rollout} etag={etag} onClose={panel.close} />}
    </Section>
  )
}

function EditCriteria({ rollout, etag, onClose }: CriteriaProps & { onClose: () => void }) {
  const { criteria: texts, actions } = useTexts().rollouts
  const [name, setName] = useState(rollout.name)
  const [values, setValues] = useState<Record<string, number | ''>>(
    Object.fromEntries(names.map((name) => [name, rollout.criteria[name] ?? ''])),
  )
  const isComplete = name.trim() !== '' && names.every((name) => optional.includes(name) || values[name] !== '')
  const criteria = Object.fromEntries(names.map((name) => [name, values[name] === '' ? null : values[name]]))
  const body = { name: name.trim(), criteria: criteria as Partial<Values> }
  const form = (
    <Stack>
      <TextInput
        label={texts.name}
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {names.map((name) => (
          <NumberInput
            key={name}
            label={texts[name]}
            {...(optional.includes(name) && { placeholder: texts.never })}
            allowDecimal={false}
            min={minimum[name] ?? 1}
            {...(name.endsWith('Percent') && { max: 100 })}
            value={values[name] ?? ''}
            onChange={(value) => setValues({ ...values, [name]: value === '' ? '' : Number(value) })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
  return (
    <ReviewPanel
      isOpen
      onClose={onClose}
      action={{
        title: actions.editTitle,
        label: actions.save,
        form,
        isComplete,
        etag,
        requestKey: body,
        send: ({ query: { dryRun }, headers }) =>
          api.PATCH('/api/rollouts/{id}', {
            params: { path: { id: rollout.rolloutId }, query: dryRun ? { dryRun } : {}, header: headers },
            body,
          }),
        describe: () => actions.editText,
        done: () => ({ text: actions.edited }),
        refreshes: [['rollout', rollout.rolloutId]],
      }}
    />
  )
}
