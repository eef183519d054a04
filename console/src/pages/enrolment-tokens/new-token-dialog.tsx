import { Modal, NumberInput, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { textOrNull } from '../../api/principals.ts'
import { CopyField } from '../../components/copy-field.tsx'
import { DateTimeField, inDays } from '../../components/date-time-field.tsx'
import { FormLayout } from '../../components/form-layout.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { useIdempotencyKey } from '../../components/use-idempotency-key.ts'
import { useSaving } from '../../components/use-saving.ts'
import { useTexts } from '../../texts/texts.tsx'
import { GroupField } from './group-field.tsx'
import { tokensKey } from './tokens.ts'

type NewTokenDialogProps = { isOpen: boolean; onClose: () => void }

export function NewTokenDialog({ isOpen, onClose }: NewTokenDialogProps) {
  const { tokens, common } = useTexts()
  const [token, setToken] = useState<string>()
  return (
    <>
      <Modal
        opened={isOpen}
        onClose={onClose}
        title={tokens.create}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        <NewTokenForm
          onCancel={onClose}
          onCreated={(created) => {
            setToken(created)
            onClose()
          }}
        />
      </Modal>
      <ShownOnce
        title={tokens.secretTitle}
        warning={tokens.secretWarning}
        storedLabel={tokens.stored}
        onDone={() => setToken(undefined)}
      >
        {token && <CopyField label={tokens.token} value={token} />}
      </ShownOnce>
    </>
  )
}

type Values = { description: string; groupId: string; maxUses: number | string; expiresAtUtc: string | null }

function NewTokenForm({ onCreated, onCancel }: { onCreated: (token: string) => void; onCancel: () => void }) {
  const { tokens } = useTexts()
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
    const { token } = await answerOf(api.POST('/api/enrolment-tokens', { params, body }))
    await queryClient.invalidateQueries({ queryKey: tokensKey })
    onCreated(token)
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
