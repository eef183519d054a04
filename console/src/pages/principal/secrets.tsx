import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PrincipalSecret } from '../../api/client.ts'
import { localPrincipalsKey } from '../../api/principal-list.ts'
import { deleteSecret, listSecrets, secretsKey } from '../../api/secrets.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Loading } from '../../components/loading.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { useFormat } from '../../texts/format.ts'
import { usePrincipalTexts } from '../../texts/principal-texts.ts'
import { useSecretTexts } from '../../texts/secret-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { NewSecretDialog } from './new-secret-dialog.tsx'

/** The secrets of a local principal: when they are used and end, a new one, and their deletion. */
export function Secrets({ principalId }: { principalId: number }) {
  const secrets = useSecretTexts()
  const queryClient = useQueryClient()
  const queryKey = secretsKey(principalId)
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => listSecrets(principalId) })
  const [isCreating, setIsCreating] = useState(false)
  const showChange = async () => {
    await queryClient.invalidateQueries({ queryKey })
    await queryClient.invalidateQueries({ queryKey: localPrincipalsKey })
  }
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{secrets.title}</Title>
        {error && <ProblemView error={error} onRetry={refetch} />}
        {!data && !error && <Loading height={60} />}
        {data?.map((secret) => (
          <SecretRow
            key={secret.id}
            secret={secret}
            isOnly={data.length === 1}
            onDelete={async () => {
              await deleteSecret(principalId, secret.id)
              notifications.show({ message: secrets.deleted })
              await showChange()
            }}
          />
        ))}
        <Group>
          <Button variant="default" onClick={() => setIsCreating(true)}>
            {secrets.create}
          </Button>
        </Group>
      </Stack>
      <NewSecretDialog
        principalId={principalId}
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={() => void showChange()}
      />
    </Paper>
  )
}

type SecretRowProps = { secret: PrincipalSecret; isOnly: boolean; onDelete: () => Promise<unknown> }

function SecretRow({ secret, isOnly, onDelete }: SecretRowProps) {
  const { common } = useTexts()
  const principal = usePrincipalTexts()
  const secrets = useSecretTexts()
  const format = useFormat()
  const [isAsking, setIsAsking] = useState(false)
  const created = format.dateTime(secret.createdAtUtc)
  const lastUsed = secret.lastUsedUtc ? format.dateTime(secret.lastUsedUtc) : common.never
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <Text size="sm">{secrets.createdAt(created)}</Text>
        <Text size="sm" c="dimmed">
          {secrets.lastUsed(lastUsed)}
        </Text>
        {secret.expiresAtUtc && <Text size="sm">{secrets.endsAt(format.dateTime(secret.expiresAtUtc))}</Text>}
      </div>
      {!isOnly && (
        <Button
          flex="none"
          size="compact-sm"
          color="red"
          variant="light"
          aria-label={secrets.deleteLabel(created)}
          onClick={() => setIsAsking(true)}
        >
          {principal.delete}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={secrets.deleteTitle}
        text={secrets.deleteText(created, lastUsed)}
        confirmLabel={principal.delete}
        isDangerous
        onConfirm={async () => {
          await onDelete()
          setIsAsking(false)
        }}
        onClose={() => setIsAsking(false)}
      />
    </Group>
  )
}
