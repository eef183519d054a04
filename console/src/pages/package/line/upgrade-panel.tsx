import { Button, Checkbox, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { type PackageUpgrade, upgradeProposalQuery } from '../../../api/package-lines.ts'
import type { components } from '../../../api/types.ts'
import { IconPlus } from '../../../components/icons.ts'
import { usePackageLineTexts } from '../../../texts/package-line-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { RingFields } from '../../groups/panels/ring-fields.tsx'
import { isRingComplete, type PlannedRing, toRingRequest } from '../../groups/panels/rollout-plan.ts'

type ProposedGroup = components['schemas']['ProposedGroup']

type UpgradePanelProps = PanelProps & { packageId: string; label: string }

const firstRings: readonly PlannedRing[] = [
  { id: 1, name: '', rule: 'percent', size: 10, groupId: null, releaseMinutes: 0 },
  { id: 2, name: '', rule: 'rest', size: '', groupId: null, releaseMinutes: 0 },
]

const maxRings = 20

/** Brings a version to the groups that have an older one. The dry run says which rollouts begin. */
export function UpgradePanel({ packageId, label, ...panel }: UpgradePanelProps) {
  const texts = usePackageLineTexts().upgrade
  const { data } = useQuery(upgradeProposalQuery(packageId))
  const [left, setLeft] = useState<readonly string[]>([])
  const [rings, setRings] = useState(firstRings)
  const groups = data?.groups ?? []
  const groupIds = groups
    .filter(({ groupId, obstacle }) => obstacle === null && !left.includes(groupId))
    .map(({ groupId }) => groupId)
  const body = { groupIds, rings: rings.map(toRingRequest), emergency: false, allowLastOfSite: false }
  const toggle = (id: string) => setLeft(left.includes(id) ? left.filter((one) => one !== id) : [...left, id])
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.title(label),
        label: texts.label,
        requestKey: { packageId, body },
        isComplete: groupIds.length > 0 && rings.every(isRingComplete),
        form: (
          <Stack>
            <GroupChoice groups={groups} left={left} onToggle={toggle} />
            <Rings rings={rings} onChange={setRings} />
          </Stack>
        ),
        send: ({ query, headers }) =>
          api.POST('/api/packages/{id}/upgrade', { params: { path: { id: packageId }, query, header: headers }, body }),
        describe: ({ answer, computers = 0 }) => texts.describes(answer.groups.length, computers),
        details: ({ answer }) => <Rollouts upgrade={answer} />,
        done: ({ rollouts }) => ({
          text: texts.done,
          ...(rollouts[0] && { to: rollouts.length === 1 ? `/rollouts/${rollouts[0].rolloutId}` : '/rollouts' }),
        }),
        refreshes: [['package'], ['packages'], ['groups'], ['group'], ['rollouts']],
      }}
    />
  )
}

type GroupChoiceProps = {
  groups: readonly ProposedGroup[]
  left: readonly string[]
  onToggle: (groupId: string) => void
}

function GroupChoice({ groups, left, onToggle }: GroupChoiceProps) {
  const texts = usePackageLineTexts().upgrade
  if (groups.length === 0) return <Text size="sm">{texts.none}</Text>
  return (
    <Checkbox.Group
      label={texts.groups}
      value={groups.map(({ groupId }) => groupId).filter((id) => !left.includes(id))}
    >
      <Stack gap="xs" mt="xs">
        {groups.map(({ groupId, path, oldVersion, computerCount, obstacle }) => (
          <Checkbox
            key={groupId}
            value={groupId}
            label={path}
            description={obstacle ? texts.obstacles[obstacle] : texts.from(oldVersion ?? '–', computerCount)}
            disabled={obstacle !== null}
            onChange={() => onToggle(groupId)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

type RingsProps = { rings: readonly PlannedRing[]; onChange: (rings: readonly PlannedRing[]) => void }

function Rings({ rings, onChange }: RingsProps) {
  const { groups } = useTexts()
  const addRing = () => {
    const id = Math.max(...rings.map((ring) => ring.id)) + 1
    const ring: PlannedRing = { id, name: '', rule: 'percent', size: 25, groupId: null, releaseMinutes: 0 }
    onChange([...rings.slice(0, -1), ring, ...rings.slice(-1)])
  }
  return (
    <>
      {rings.map((ring, index) => (
        <RingFields
          key={ring.id}
          number={index + 1}
          ring={ring}
          isLast={index === rings.length - 1}
          onChange={(change) => onChange(rings.map((one) => (one.id === ring.id ? { ...one, ...change } : one)))}
          onRemove={() => onChange(rings.filter(({ id }) => id !== ring.id))}
        />
      ))}
      {rings.length < maxRings && (
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
    </>
  )
}

function Rollouts({ upgrade: { rollouts } }: { upgrade: PackageUpgrade }) {
  const texts = usePackageLineTexts().upgrade
  if (rollouts.length === 0) return null
  return (
    <Table aria-label={texts.groups}>
      <Table.Tbody>
        {rollouts.map(({ rolloutId, name, computerCount }) => (
          <Table.Tr key={rolloutId}>
            <Table.Td className="breakable">{name}</Table.Td>
            <Table.Td ta="end">{texts.rollout(computerCount)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
