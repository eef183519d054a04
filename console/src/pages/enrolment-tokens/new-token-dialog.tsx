import { Button, NumberInput, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAskedPanel } from '../../actions/use-asked-panel.ts'
import { answerOf, api, type CreatedEnrolmentToken } from '../../api/client.ts'
import { textOrNull } from '../../api/principals.ts'
import { CopyField } from '../../components/copy-field.tsx'
import { DateTimeField, inDays } from '../../components/date-time-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormLayout } from '../../components/form-layout.tsx'
import { IconPlus } from '../../components/icons.ts'
import { ShownOnce } from '../../components/shown-once.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useIdempotencyKey } from '../../components/use-idempotency-key.ts'
import { useSaving } from '../../components/use-saving.ts'
import { useTokenTexts } from '../../texts/token-texts.ts'
import { AgentCommands } from './agent-commands.tsx'
import { GroupField } from './group-field.tsx'
import { tokensKey } from './tokens.ts'

/** A button that creates a token, and shows it once with the commands that use it. */
export function NewToken() {
  const tokens = useTokenTexts()
  const [isOpen, dialog] = useDisclosure()
  useAskedPanel('createToken', dialog.open)
  const [token, setToken] = useState<CreatedEnrolmentToken>()
  const { setSkip } = useFilters([])
  return (
    <>
      <Button onClick={dialog.open} leftSection={<IconPlus size={16} aria-hidden />}>
        {tokens.create}
      </Button>
      <Dialog isOpen={isOpen} onClose={dialog.close} title={tokens.create}>
        <NewTokenForm
          onCancel={dialog.close}
          onCreated={(created) => {
            setToken(created)
            setSkip(0)
            dialog.close()
          }}
        />
      </Dialog>
      <ShownOnce
        title={tokens.secretTitle}
        warning={tokens.secretWarning}
        storedLabel={tokens.stored}
        onDone={() => setToken(undefined)}
      >
        {token && (
          <>
            <CopyField label={tokens.token} value={token.token} />
            {token.commands && <AgentCommands values={token.commands} installs={token.installs} />}
          </>
        )}
      </ShownOnce>
    </>
  )
}

type Values = { description: string; groupId: string; maxUses: number | string; expiresAtUtc: string | null }

function NewTokenForm({
  onCreated,
  onCancel,
}: {
  onCreated: (token: CreatedEnrolmentToken) => void
  onCancel: () => void
}) {
  const tokens = useTokenTexts()
  const queryClient = useQueryClient()
  const keyFor = useIdempotencyKey()
  const form = useForm<Values>({
    initialValues: {
      description: '',
      groupId: '',
      maxUses: '',
      expiresAtUtc: inDays(7),
    },
  })
  const saving = useSaving(form, async ({ description, groupId, maxUses, expiresAtUtc }) => {
    const body = {
      description: textOrNull(description),
      groupId: textOrNull(groupId),
      maxUses: maxUses === '' ? null : Number(maxUses),
      // The API reports missing or invalid values per field.
      expiresAtUtc: expiresAtUtc ?? '',
    }
    const params = { header: { 'Idempotency-Key': keyFor(body) } }
    const created = await answerOf(api.POST('/api/enrolment-tokens', { params, body }))
    await queryClient.invalidateQueries({ queryKey: tokensKey })
    onCreated(created)
  })
  const { day, days7, days30 } = tokens.expiresIn
  return (
    <FormLayout saving={saving} submitLabel={tokens.submit} onCancel={onCancel}>
      <Textarea
        data-autofocus
        label={tokens.description}
        description={tokens.descriptionHint}
        {...form.getInputProps('description')}
      />
      <GroupField {...form.getInputProps('groupId')} value={form.values.groupId} />
      <NumberInput
        label={tokens.maxUses}
        description={tokens.maxUsesHint}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        {...form.getInputProps('maxUses')}
      />
      <DateTimeField
        label={tokens.expires}
        choices={[
          { label: day, days: 1 },
          { label: days7, days: 7 },
          { label: days30, days: 30 },
        ]}
        {...form.getInputProps('expiresAtUtc')}
        value={form.values.expiresAtUtc}
      />
    </FormLayout>
  )
}
