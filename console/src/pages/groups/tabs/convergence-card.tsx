import { Alert, Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { usePanels } from '../../../actions/use-panels.ts'
import { Facts } from '../../../components/facts.tsx'
import { useConvergenceTexts } from '../../../texts/convergence-texts.ts'
import type { ConvergenceRing, GroupPageData } from '../group-queries.ts'
import { ConvergencePanel } from '../panels/convergence-panel.tsx'
import { OriginGroup } from './origin-group.tsx'

/** Whether the members are kept converged, with what limits, and why changes wait. */
export function ConvergenceCard({ page, mayChange }: { page: GroupPageData; mayChange: boolean }) {
  const texts = useConvergenceTexts()
  const { convergence } = page
  const { shown, open, onClose } = usePanels<'edit'>()
  return (
    <Paper withBorder p="sm" component="section" aria-label={texts.title}>
      <Stack gap="xs">
        <Waiting page={page} />
        <Group justify="space-between" align="flex-start">
          <Stack gap="xs" flex={1}>
            <Text size="sm" {...(convergence.state === 'Off' && { c: 'dimmed' })}>
              {convergence.state === 'On' ? texts.on : texts.off}
            </Text>
            <Limits page={page} />
          </Stack>
          {mayChange && (
            <Button variant="default" onClick={() => open('edit', undefined)}>
              {texts.change}
            </Button>
          )}
        </Group>
      </Stack>
      {shown && <ConvergencePanel key={shown.number} page={page} isOpen={shown.isOpen} onClose={onClose} />}
    </Paper>
  )
}

/** A change that waits for the next comparison needs nobody's attention. */
function Waiting({ page: { convergence } }: { page: GroupPageData }) {
  const texts = useConvergenceTexts()
  const { waiting } = convergence
  if (!waiting) return null
  if (waiting.code === 'Comparing')
    return (
      <Text size="sm" c="dimmed">
        {texts.waits.Comparing}
      </Text>
    )
  return (
    <Alert color="orange" title={texts.waiting}>
      {texts.waits[waiting.code]}
      {waiting.rolloutId && (
        <>
          {' '}
          <Anchor component={Link} size="sm" to={`/rollouts/${waiting.rolloutId}`}>
            {texts.openWave}
          </Anchor>
        </>
      )}
    </Alert>
  )
}

function Limits({ page }: { page: GroupPageData }) {
  const texts = useConvergenceTexts()
  const { sourceGroupId, sourceGroupPath, isInherited, ...convergence } = page.convergence
  const ringText = ({ count, percent, groupId }: ConvergenceRing) =>
    count !== undefined
      ? String(count)
      : percent !== undefined
        ? texts.ring.percent(percent)
        : groupId
          ? texts.ring.group
          : texts.ring.rest
  return (
    <Facts
      rows={[
        ...(isInherited && sourceGroupId && sourceGroupPath
          ? [
              [
                texts.inheritedFrom,
                <OriginGroup key="source" page={page} id={sourceGroupId} path={sourceGroupPath} tab="assignments" />,
              ] as const,
            ]
          : []),
        ...(convergence.rings ? [[texts.rings, convergence.rings.map(ringText).join(' → ')] as const] : []),
        ...(convergence.expectedComputers === null
          ? []
          : [[texts.expected, texts.expectedText(convergence.expectedComputers)] as const]),
        ...(convergence.maxRemovals === null
          ? []
          : [[texts.removals, texts.removalsText(convergence.maxRemovals)] as const]),
        ...(convergence.openWaves > 0
          ? [
              [
                texts.openWaves,
                <Anchor key="waves" component={Link} size="sm" to={`/rollouts?group=${sourceGroupId}`}>
                  {texts.wavesLink(convergence.openWaves)}
                </Anchor>,
              ] as const,
            ]
          : []),
      ]}
    />
  )
}
