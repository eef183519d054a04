import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { answerOf, api, newIdempotencyKey } from '../../../api/client.ts'
import { CopyField } from '../../../components/copy-field.tsx'
import { inDays } from '../../../components/date-time-field.tsx'
import { ProblemAlert } from '../../../components/problem-view.tsx'
import { useTexts } from '../../../texts/texts.tsx'

/** Creates a token for one computer, and shows the command that enrols it. */
export function EnrolCommand() {
  const { computer } = useTexts().overview.firstSteps
  const creation = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/api/enrolment-tokens', {
          params: { header: { 'Idempotency-Key': newIdempotencyKey() } },
          body: { description: computer.tokenDescription, groupId: null, maxUses: 1, expiresAtUtc: inDays(1) },
        }),
      ),
  })
  const { data, error } = creation
  return (
    <Stack gap={6} maw={640}>
      <Text size="sm" c="dimmed">
        {computer.hint}
      </Text>
      {data ? (
        <>
          <CopyField label={computer.command} value={enrolCommand(data.token)} />
          <CopyField label={computer.run} value="npm run agent -- run" />
        </>
      ) : (
        <Button size="sm" w="fit-content" loading={creation.isPending} onClick={() => creation.mutate()}>
          {computer.create}
        </Button>
      )}
      <ProblemAlert error={error} />
    </Stack>
  )
}

const enrolCommand = (token: string) => `MUSTER_AGENT_TOKEN=${token} npm run agent -- enrol --server ${location.origin}`
