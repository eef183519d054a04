import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { localPrincipalsKey, principalPath } from '../../api/principal-list.ts'
import { type LocalValues, localBody } from '../../api/principals.ts'
import { CopyField } from '../../components/copy-field.tsx'
import { FormLayout } from '../../components/form-layout.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { UnsavedChanges } from '../../components/unsaved-changes.tsx'
import { useIdempotencyKey } from '../../components/use-idempotency-key.ts'
import { useSaving } from '../../components/use-saving.ts'
import { useTexts } from '../../texts/texts.tsx'
import { LocalFields } from './fields.tsx'

type NewPrincipalProps = { onCreated: (path: string) => void; onCancel: () => void }

type Created = { id: number; clientId: string; plaintextKey: string }

export function NewLocalPrincipal({ onCreated, onCancel }: NewPrincipalProps) {
  const { principal } = useTexts()
  const queryClient = useQueryClient()
  const keyFor = useIdempotencyKey()
  const [created, setCreated] = useState<Created>()
  const form = useForm<LocalValues>({ initialValues: { description: '', roles: [], expiresAtUtc: null } })
  const saving = useSaving(form, async (values) => {
    const body = localBody(values)
    const params = { header: { 'Idempotency-Key': keyFor(body) } }
    setCreated(await answerOf(api.POST('/api/admin/local-principals', { params, body })))
    await queryClient.invalidateQueries({ queryKey: localPrincipalsKey })
  })
  return (
    <>
      <FormLayout saving={saving} submitLabel={principal.create} onCancel={onCancel}>
        <LocalFields form={form} />
      </FormLayout>
      <UnsavedChanges exist={form.isDirty() && !created} />
      <ShownOnce
        title={principal.secretTitle}
        warning={principal.secretWarning}
        storedLabel={principal.secretStored}
        onDone={() => created && onCreated(principalPath({ kind: 'local', id: created.id }))}
      >
        {created && (
          <>
            <CopyField label={principal.clientId} value={created.clientId} />
            <CopyField label={principal.secret} value={created.plaintextKey} />
          </>
        )}
      </ShownOnce>
    </>
  )
}
