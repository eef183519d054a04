import { Button, Group, NativeSelect, NumberInput, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { IconPlus } from '../../../components/icons.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useConvergenceTexts } from '../../../texts/convergence-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { convergenceQuery, type GroupPageData, groupKey } from '../group-queries.ts'
import { type ConvergencePlan, firstConvergencePlan, isConvergenceComplete, toRequest } from './convergence-plan.ts'
import { ConvergenceTimesFields } from './convergence-times-fields.tsx'
import { RingFields } from './ring-fields.tsx'
import type { PlannedRing } from './rollout-plan.ts'

/** Sets whether the members of a group are kept converged. The dry run says how many computers that concerns. */
export function ConvergencePanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const texts = useConvergenceTexts()
  const { data: version } = useQuery(convergenceQuery(page.id))
  const [typed, setTyped] = useState<ConvergencePlan>()
  const plan = typed ?? (version && firstConvergencePlan(version.value))
  const params = (query: object, headers: object) => ({ path: { id: page.id }, query, header: headers })
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.panelTitle(page.name),
        label: texts.label,
        requestKey: plan,
        isComplete: plan !== undefined && isConvergenceComplete(plan),
        ...(version?.etag && { etag: version.etag }),
        form: plan && <ConvergenceFields plan={plan} onChange={setTyped} />,
        send: ({ query, headers }) =>
          !plan || plan.choice === 'Inherit'
            ? api.DELETE('/api/group/{id}/convergence', { params: params(query, headers) })
            : api.PUT('/api/group/{id}/convergence', { params: params(query, headers), body: toRequest(plan) }),
        describe: () => texts.effects[plan?.choice ?? 'Inherit'],
        done: () => ({ text: texts.isSet }),
        refreshes: [groupKey(page.id)],
      }}
    />
  )
}

type FieldsProps = { plan: ConvergencePlan; onChange: (plan: ConvergencePlan) => void }

function ConvergenceFields({ plan, onChange }: FieldsProps) {
  const texts = useConvergenceTexts()
  const choices = Object.entries(texts.choices).map(([value, label]) => ({ value, label }))
  return (
    <Stack>
      <NativeSelect
        label={texts.choice}
        data={choices}
        value={plan.choice}
        onChange={(event) => onChange({ ...plan, choice: event.currentTarget.value as ConvergencePlan['choice'] })}
      />
      {plan.choice === 'On' && <LimitFields plan={plan} onChange={onChange} />}
    </Stack>
  )
}

const limits = { expectedComputers: 10_000_000, expectedPercent: 100, maxRemovals: 10_000_000, maxRepairsPerDay: 1000 }

const limitNames = Object.keys(limits) as (keyof typeof limits)[]

function LimitFields({ plan, onChange }: FieldsProps) {
  const texts = useConvergenceTexts()
  const { groups } = useTexts()
  const { rings } = plan
  const changeRing = (id: number, change: Partial<PlannedRing>) =>
    onChange({ ...plan, rings: rings.map((ring) => (ring.id === id ? { ...ring, ...change } : ring)) })
  const addRing = () => {
    const id = Math.max(...rings.map((ring) => ring.id)) + 1
    const ring = { id, name: '', rule: 'percent' as const, size: 25, groupId: null, releaseMinutes: 0, windows: [] }
    onChange({ ...plan, rings: [...rings.slice(0, -1), ring, ...rings.slice(-1)] })
  }
  return (
    <>
      {rings.map((ring, index) => (
        <RingFields
          key={ring.id}
          number={index + 1}
          ring={ring}
          isLast={index === rings.length - 1}
          onChange={(change) => changeRing(ring.id, change)}
          onRemove={() => onChange({ ...plan, rings: rings.filter(({ id }) => id !== ring.id) })}
        />
      ))}
      {rings.length < 20 && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={addRing}
          >
            {groups.addRing}
          </Button>
        </Group>
      )}
      {limitNames.map((name) => (
        <NamedField key={name} name={name}>
          <NumberInput
            label={texts.fields[name]}
            {...(name === 'maxRepairsPerDay' && { description: texts.repairsHint })}
            {...(name === 'expectedPercent' && { placeholder: texts.noLimit, suffix: ' %' })}
            min={name === 'expectedPercent' ? 1 : 0}
            max={limits[name]}
            allowDecimal={false}
            value={plan[name]}
            onChange={(value) => onChange({ ...plan, [name]: value })}
          />
        </NamedField>
      ))}
      <ConvergenceTimesFields plan={plan} onChange={onChange} />
    </>
  )
}
