import { ActionIcon, Fieldset, Group, NativeSelect, NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { IconTrash } from '../../../components/icons.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { useForest } from '../tree/forest-context.ts'
import { GroupPicker } from './group-picker.tsx'
import type { PlannedRing, RingRule } from './rollout-plan.ts'

type RingFieldsProps = {
  number: number
  ring: PlannedRing
  isLast: boolean
  onChange: (change: Partial<PlannedRing>) => void
  onRemove: () => void
}

const sizeLimits = { count: 10_000_000, percent: 100, group: 0, rest: 0 }

/** Which computers a ring has, and over how much time they are released. Only the last ring can take the rest. */
export function RingFields({ number, ring, isLast, onChange, onRemove }: RingFieldsProps) {
  const { groups } = useTexts()
  const forest = useForest()
  const path = `rings.${number - 1}`
  const rules: RingRule[] = ['percent', 'count', 'group', ...(isLast ? (['rest'] as const) : [])]
  const hasSize = ring.rule === 'count' || ring.rule === 'percent'
  return (
    <Fieldset legend={groups.ring(number)} pt={4} pb="xs">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="xs" verticalSpacing="xs" flex={1}>
          <NamedField name={`${path}.name`}>
            <TextInput
              size="xs"
              label={groups.name}
              value={ring.name}
              onChange={(event) => onChange({ name: event.currentTarget.value })}
            />
          </NamedField>
          <NativeSelect
            size="xs"
            label={groups.computersOfRing}
            data={rules.map((rule) => ({ value: rule, label: groups.ringRules[rule] }))}
            value={ring.rule}
            onChange={(event) => onChange({ rule: event.currentTarget.value as RingRule, size: 25 })}
          />
          {hasSize && (
            <NamedField name={`${path}.${ring.rule}`}>
              <NumberInput
                size="xs"
                label={groups.size}
                {...(ring.rule === 'percent' && { suffix: ' %' })}
                min={1}
                max={sizeLimits[ring.rule]}
                value={ring.size}
                onChange={(size) => onChange({ size })}
              />
            </NamedField>
          )}
          <NamedField name={`${path}.releaseMinutes`}>
            <NumberInput
              size="xs"
              label={groups.releaseMinutes}
              min={0}
              max={525_600}
              value={ring.releaseMinutes}
              onChange={(releaseMinutes) => onChange({ releaseMinutes })}
            />
          </NamedField>
        </SimpleGrid>
        {!isLast && (
          <ActionIcon variant="subtle" color="red" aria-label={groups.removeRing(number)} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {ring.rule === 'group' && (
        <GroupPicker
          label={groups.groupOfRing}
          groups={[...(forest?.nodes.values() ?? [])].map(({ group }) => group)}
          value={ring.groupId}
          onChange={(groupId) => onChange({ groupId })}
        />
      )}
    </Fieldset>
  )
}
