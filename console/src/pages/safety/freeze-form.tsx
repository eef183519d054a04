import { Alert, Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { freezeKey, freezeQuery } from '../../api/blast-radius.ts'
import { answerOf, api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { FormLayout } from '../../components/form-layout.tsx'
import { IconSnowflake } from '../../components/icons.ts'
import { Loading } from '../../components/loading.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { useSaving } from '../../components/use-saving.ts'
import { useTexts } from '../../texts/texts.tsx'

export function FreezeForm() {
  const { data, error, refetch } = useQuery(freezeQuery)
  if (error) return <ProblemView error={error} onRetry={refetch} />
  if (!data) return <Loading height={120} />
  return data.frozen ? <EndFreeze /> : <StartFreeze />
}

/** Without a second question: in an emergency every click counts, and nothing is lost by a freeze. */
function StartFreeze() {
  const { freeze } = useTexts().safety
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { reason: '' } })
  const saving = useSaving(form, async ({ reason }) => {
    const body = { frozen: true, reason }
    queryClient.setQueryData(freezeKey, await answerOf(api.PUT('/api/freeze', { body })))
    notifications.show({ message: freeze.started })
  })
  return (
    <FormLayout saving={saving} submitLabel={freeze.start} isUnchanged={form.values.reason.trim() === ''}>
      <Alert color="green">{freeze.isOff}</Alert>
      <TextInput
        label={freeze.reason}
        description={freeze.reasonHint}
        maxLength={1000}
        required
        leftSection={<IconSnowflake size={16} aria-hidden />}
        {...form.getInputProps('reason')}
      />
    </FormLayout>
  )
}

function EndFreeze() {
  const { freeze } = useTexts().safety
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const end = async () => {
    queryClient.setQueryData(freezeKey, await answerOf(api.PUT('/api/freeze', { body: { frozen: false } })))
    notifications.show({ message: freeze.ended })
  }
  return (
    <Group justify="flex-end">
      <Button onClick={() => setIsAsking(true)}>{freeze.end}</Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={freeze.endTitle}
        text={freeze.endText}
        confirmLabel={freeze.end}
        onConfirm={end}
        onClose={() => setIsAsking(false)}
      />
    </Group>
  )
}
