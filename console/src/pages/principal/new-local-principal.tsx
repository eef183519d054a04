import { isNotEmpty, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { localPrincipalsKey, principalPath } from '../../api/principal-list.ts'
import { type LocalValues, localBody } from '../../api/principals.ts'
import { CopyField } from '../../components/copy-field.tsx'
import { inDays } from '../../components/date-time-field.tsx'
import { FormLayout } from '../../components/form-layout.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { UnsavedChanges } from '../../components/unsaved-changes.tsx'
import { useIdempotencyKey } from '../../components/use-idempotency-key.ts'
import { useSaving } from '../../components/use-saving.ts'
import { usePrincipalTexts } from '../../texts/principal-texts.ts'
import { useSecretTexts } from '../../texts/secret-texts.ts'
import { LocalFields } from './fields.tsx'

type NewPrincipalProps = { onCreated: (path: string) => void; onCancel: () => void }

type Created = { id: number; clientId: string; plaintextKey: string; metricsToken?: string }

export function NewLocalPrincipal({ onCreated, onCancel }: NewPrincipalProps) {
  const principal = usePrincipalTexts()
  const secrets = useSecretTexts()
  const queryClient = useQueryClient()
  const keyFor = useIdempotencyKey()
  const [created, setCreated] = useState<Created>()
  // A secret that nobody replaces should not stay valid forever.
  const form = useForm<LocalValues>({
    initialValues: { description: '', roles: [], expiresAtUtc: inDays(365) },
    validate: { description: isNotEmpty(principal.descriptionMissing) },
  })
  const saving = useSaving(form, async (values) => {
    const body = localBody(values)
    const params = { header: { 'Idempotency-Key': keyFor(body) } }
    setCreated(await answerOf(api.POST('/api/admin/local-principals', { params, body })))
    await queryClient.invalidateQueries({ queryKey: localPrincipalsKey })
  })
  return (
    <>
      <FormLayout saving={saving} submitLabel={principal.create} onCancel={onCancel}>
        <LocalFields form={form} isNew expiresHint={principal.expiresSuggestion} />
      </FormLayout>
      <UnsavedChanges exist={form.isDirty() && !created} />
      <ShownOnce
        title={secrets.storeTitle}
        warning={secrets.storeWarning}
        storedLabel={secrets.stored}
        onDone={() => created && onCreated(principalPath({ kind: 'local', id: created.id }))}
      >
        {created && (
          <>
            <CopyField label={principal.clientId} value={created.clientId} />
            <CopyField label={secrets.secret} value={created.plaintextKey} />
            {created.metricsToken && <CopyField label={secrets.metricsToken} value={created.metricsToken} />}
          </>
        )}
      </ShownOnce>
    </>
  )
}
