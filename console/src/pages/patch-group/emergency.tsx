import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api, type Schemas } from '../../api/client.ts'
import { IconBolt, IconX } from '../../components/icons.ts'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { StartEmergency } from './start-emergency.tsx'

/** Whether emergency patching runs, with what starts and stops it. */
export function Emergency({ data }: { data: Schemas['PatchGroupPage'] }) {
  const patches = usePatchTexts()
  const rollouts = useRolloutTexts()
  const texts = patches.group
  const format = useFormat()
  const mayExecute = useHasRole('pm.execute')
  const [isStarting, panel] = useDisclosure()
  const { emergency } = data
  return (
    <Section
      title={texts.emergency}
      actions={
        mayExecute && (
          <Group gap="xs">
            {emergency && <StopEmergency data={data} />}
            <Button color="red" leftSection={<IconBolt size={16} aria-hidden />} onClick={panel.open}>
              {texts.start}
            </Button>
          </Group>
        )
      }
    >
      <Group gap="xs" role="status">
        {emergency && <StatusBadge kind="running">{rollouts.states.Running}</StatusBadge>}
        <Text size="sm">
          {emergency
            ? texts.emergencyRunning(emergency.computers, format.dateTime(emergency.startedUtc))
            : texts.emergencyNone}
        </Text>
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        {texts.emergencyHint}
      </Text>
      {isStarting && <StartEmergency data={data} onClose={panel.close} />}
    </Section>
  )
}

function StopEmergency({ data: { pmGroup } }: { data: Schemas['PatchGroupPage'] }) {
  const { group } = usePatchTexts()
  const [isOpen, panel] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={panel.open}>
        {group.stop}
      </Button>
      <ReviewPanel<unknown>
        isOpen={isOpen}
        onClose={panel.close}
        action={{
          title: group.stopTitle,
          label: group.stop,
          requestKey: ['stop', pmGroup.id],
          send: ({ query }) =>
            api.DELETE('/api/pmgroup/{id}/emergency-patching', { params: { path: { id: pmGroup.id }, query } }),
          describe: ({ computers = 0 }) => group.stopText(computers),
          done: () => ({ text: group.stopped }),
          refreshes: [['patches', 'group', pmGroup.id], ['tasks']],
        }}
      />
    </>
  )
}
