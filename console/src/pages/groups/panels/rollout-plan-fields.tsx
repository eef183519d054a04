import { Button, Fieldset, Group, NativeSelect, NumberInput, Select, Stack } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { IconPlus } from '../../../components/icons.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import type { GroupPageData } from '../group-queries.ts'
import { AdvancedPlanFields } from './advanced-plan-fields.tsx'
import { RingFields } from './ring-fields.tsx'
import {
  canHaveAnotherRing,
  type PlannedRing,
  type RolloutPlan,
  withAnotherRing,
  withMinSuccess,
} from './rollout-plan.ts'

type RolloutPlanFieldsProps = {
  page: GroupPageData
  plan: RolloutPlan
  onChange: (plan: RolloutPlan) => void
}

/** What a rollout brings, its rings, and when it continues. */
export function RolloutPlanFields({ page, plan, onChange }: RolloutPlanFieldsProps) {
  const { groups } = useTexts()
  const { criteria } = plan
  const packages = page.assignments.filter(({ type }) => type === 'Package')
  const changeRing = (id: number, change: Partial<PlannedRing>) =>
    onChange({ ...plan, rings: plan.rings.map((ring) => (ring.id === id ? { ...ring, ...change } : ring)) })
  return (
    <Stack>
      <NamedField name="packageId">
        <Select
          label={groups.what}
          data={packages.map(({ objectId, name, version }) => ({
            value: objectId,
            label: visibleLine([name, version].filter(Boolean).join(' ')),
          }))}
          placeholder={groups.everything}
          value={plan.packageId}
          onChange={(packageId) => onChange({ ...plan, packageId })}
          clearable
          searchable
        />
      </NamedField>
      {plan.rings.map((ring, index) => (
        <RingFields
          key={ring.id}
          number={index + 1}
          ring={ring}
          isLast={index === plan.rings.length - 1}
          onChange={(change) => changeRing(ring.id, change)}
          onRemove={() => onChange({ ...plan, rings: plan.rings.filter(({ id }) => id !== ring.id) })}
        />
      ))}
      {canHaveAnotherRing(plan) && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange(withAnotherRing(plan, ''))}
          >
            {groups.addRing}
          </Button>
        </Group>
      )}
      <Fieldset legend={groups.continues}>
        <Group grow align="flex-start">
          <NamedField name="minSuccessPercent">
            <NumberInput
              label={groups.minSuccess}
              suffix=" %"
              min={1}
              max={100}
              value={criteria.minSuccessPercent ?? ''}
              onChange={(percent) => onChange(withMinSuccess(plan, percent === '' ? null : Number(percent)))}
            />
          </NamedField>
          <NativeSelect
            label={groups.soak}
            data={groups.soakTimes.map(([minutes, label]) => ({ value: String(minutes), label }))}
            value={String(criteria.soakMinutes)}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...plan, criteria: { ...criteria, soakMinutes: Number(value) } })
            }
          />
        </Group>
      </Fieldset>
      <AdvancedPlanFields plan={plan} onChange={onChange} />
    </Stack>
  )
}
