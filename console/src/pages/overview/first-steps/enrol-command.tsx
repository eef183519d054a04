import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answerOf, api, newIdempotencyKey } from '../../../api/client.ts'
import { CopyBlock } from '../../../components/copy-block.tsx'
import { ProblemAlert } from '../../../components/problem-view.tsx'
import { type EnrolmentToKeep, useKeptEnrolment } from '../../../shell/kept-enrolment.ts'
import { useFirstStepsTexts } from '../../../texts/first-steps-texts.ts'

/**
 * Creates a token for one computer, and shows the commands that enrol it: from a clone the machine of the service itself, otherwise
 * any Linux computer.
 */
export function EnrolCommand({ isClone }: { isClone: boolean }) {
  const { computer } = useFirstStepsTexts()
  const { kept, keep } = useKeptEnrolment()
  const creation = useMutation({
    mutationFn: () => createEnrolment(computer.tokenDescription),
    onSuccess: keep,
  })
  return (
    <Stack gap="xs" maw={720}>
      <Text size="sm" c="dimmed">
        {isClone ? computer.hintOwn : computer.hint}
      </Text>
      {kept?.needsAgent && <Text size="sm">{computer.needsAgent}</Text>}
      {kept && <CopyBlock label={computer.command} value={kept.enrol} />}
      {kept?.run && <CopyBlock label={computer.run} value={kept.run} />}
      {!kept && (
        <Button size="sm" w="fit-content" loading={creation.isPending} onClick={() => creation.mutate()}>
          {computer.create}
        </Button>
      )}
      <Group gap="lg">
        {kept && (
          <Anchor component="button" type="button" size="sm" onClick={() => creation.mutate()}>
            {computer.createAgain}
          </Anchor>
        )}
        <Anchor component={Link} to="/admin/enrolment" size="sm">
          {computer.others}
        </Anchor>
      </Group>
      <ProblemAlert error={creation.error} />
    </Stack>
  )
}

const dayMs = 86_400_000

async function createEnrolment(description: string): Promise<EnrolmentToKeep> {
  const tomorrow = new Date(Date.now() + dayMs).toISOString()
  const { expiresAtUtc, token, commands, installs, ownMachine } = await answerOf(
    api.POST('/api/enrolment-tokens', {
      params: { header: { 'Idempotency-Key': newIdempotencyKey() } },
      body: { description, groupId: null, maxUses: 1, expiresAtUtc: tomorrow },
    }),
  )
  // Behind a proxy that it does not know, the service does not know its own address. The browser does.
  const linux = commands?.linux ?? `MUSTER_AGENT_TOKEN=${token} muster-agent enrol --server ${location.origin}`
  return {
    expiresAtUtc,
    enrol: ownMachine?.enrol ?? linux,
    run: ownMachine?.run ?? null,
    needsAgent: !ownMachine && !installs.linux,
  }
}
