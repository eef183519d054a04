import { ActionIcon, Button, Fieldset, Group, NumberInput, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { GroupChoice } from '../../components/group-choice.tsx'
import { IconPlus, IconTrash } from '../../components/icons.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import type { PatchRing } from './policies.ts'

type RingListProps = { rings: readonly PatchRing[]; onChange: (rings: PatchRing[]) => void }

const maxRings = 10
const gate = { minInstalledPercent: 80, maxFailedPercent: 5, minComputers: 1 }

/** The rings of a policy in their order. The last one takes all computers that the others leave. */
export function RingList({ rings, onChange }: RingListProps) {
  const { ring: texts } = usePatchPolicyTexts()
  const add = (): PatchRing[] => {
    const ring: PatchRing = { name: '', percent: 10, afterDays: 0, gate }
    return rings.length === 0
      ? [
          { ...ring, name: texts.firstName },
          { name: texts.lastName, afterDays: 2, gate },
        ]
      : rings.toSpliced(rings.length - 1, 0, ring)
  }
  // One ring alone would have all computers.
  const without = (at: number) => (rings.length <= 2 ? [] : rings.toSpliced(at, 1))
  return (
    <Fieldset legend={texts.title}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {rings.length === 0 ? texts.none : texts.hint}
        </Text>
        {rings.map((ring, at) => (
          <RingFields
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a ring.
            key={at}
            ring={ring}
            place={at + 1}
            isLast={at === rings.length - 1}
            onChange={(changed) => onChange(rings.toSpliced(at, 1, changed))}
            {...((at < rings.length - 1 || rings.length === 1) && { onRemove: () => onChange(without(at)) })}
          />
        ))}
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={rings.length >= maxRings}
          onClick={() => onChange(add())}
        >
          {texts.add}
        </Button>
      </Stack>
    </Fieldset>
  )
}

type RingFieldsProps = {
  ring: PatchRing
  place: number
  isLast: boolean
  onChange: (ring: PatchRing) => void
  onRemove?: () => void
}

function RingFields({ ring, place, isLast, onChange, onRemove }: RingFieldsProps) {
  const { ring: texts } = usePatchPolicyTexts()
  const path = `rings.${place - 1}`
  const set = (changes: Partial<PatchRing>) => onChange({ ...ring, ...changes })
  return (
    <Paper withBorder p="sm" role="group" aria-label={texts.number(place)}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Text size="sm" fw={600}>
            {texts.number(place)}
          </Text>
          {onRemove && (
            <ActionIcon variant="subtle" aria-label={texts.remove(ring.name || texts.number(place))} onClick={onRemove}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
        <NamedField name={`${path}.name`}>
          <TextInput
            required
            label={texts.name}
            maxLength={100}
            value={ring.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
        </NamedField>
        {isLast ? (
          <Text size="sm" c="dimmed">
            {texts.rest}
          </Text>
        ) : (
          <Members ring={ring} path={path} onChange={onChange} />
        )}
        <NamedField name={`${path}.afterDays`}>
          <NumberInput
            label={place === 1 ? texts.afterApproval : texts.afterRing}
            min={0}
            max={365}
            allowDecimal={false}
            value={ring.afterDays}
            onChange={(value) => set({ afterDays: Number(value) })}
          />
        </NamedField>
        <GateFields ring={ring} path={path} onChange={onChange} />
      </Stack>
    </Paper>
  )
}

type PartProps = { ring: PatchRing; path: string; onChange: (ring: PatchRing) => void }

/** Who is in the ring: a share of the computers, or a group. */
function Members({ ring: { percent, groupId, groupPath: _, ...ring }, path, onChange }: PartProps) {
  const { ring: texts } = usePatchPolicyTexts()
  const mayReadGroups = useHasRole('group.read')
  const isGroup = groupId !== undefined
  return (
    <>
      {(mayReadGroups || isGroup) && (
        <Select
          label={texts.members}
          allowDeselect={false}
          data={[
            { value: 'percent', label: texts.byPercent },
            { value: 'group', label: texts.byGroup },
          ]}
          value={isGroup ? 'group' : 'percent'}
          onChange={(value) => onChange(value === 'group' ? { ...ring, groupId: '' } : { ...ring, percent: 10 })}
        />
      )}
      {isGroup ? (
        <NamedField name={`${path}.groupId`}>
          <GroupChoice
            isRequired
            label={texts.group}
            value={groupId}
            onChange={(chosen) => onChange({ ...ring, groupId: chosen })}
          />
        </NamedField>
      ) : (
        <NamedField name={`${path}.percent`}>
          <NumberInput
            label={texts.percent}
            min={1}
            max={99}
            allowDecimal={false}
            value={percent ?? 10}
            onChange={(value) => onChange({ ...ring, percent: Number(value) })}
          />
        </NamedField>
      )}
    </>
  )
}

const gateFields = [
  ['minInstalledPercent', 0, 100],
  ['maxFailedPercent', 0, 100],
  ['minComputers', 1, 1_000_000],
] as const

function GateFields({ ring, path, onChange }: PartProps) {
  const { ring: texts } = usePatchPolicyTexts()
  return (
    <Group grow align="flex-end">
      {gateFields.map(([name, min, max]) => (
        <NamedField key={name} name={`${path}.gate.${name}`}>
          <NumberInput
            label={texts[name]}
            min={min}
            max={max}
            allowDecimal={false}
            value={ring.gate[name]}
            onChange={(value) => onChange({ ...ring, gate: { ...ring.gate, [name]: Number(value) } })}
          />
        </NamedField>
      ))}
    </Group>
  )
}

/** Whether the rings have what the service requires. */
export const areRingsComplete = (rings: readonly PatchRing[]) =>
  rings.every(({ name, groupId }) => name.trim() !== '' && groupId !== '')
