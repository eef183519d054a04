import { NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { createSecret } from '../../api/secrets.ts'
import { CopyField } from '../../components/copy-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormLayout } from '../../components/form-layout.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { useIdempotencyKey } from '../../components/use-idempotency-key.ts'
import { useSaving } from '../../components/use-saving.ts'
import { usePrincipalTexts } from '../../texts/principal-texts.ts'
import { useSecretTexts } from '../../texts/secret-texts.ts'

type NewSecretDialogProps = { principalId: number; isOpen: boolean; onClose: () => void; onCreated: () => void }

type Created = { clientId: string; plaintextKey: string; metricsToken?: string }

/** Creates a secret, and lets the person choose how long the previous ones stay valid. */
export function NewSecretDialog({ principalId, isOpen, onClose, onCreated }: NewSecretDialogProps) {
  const principal = usePrincipalTexts()
  const secrets = useSecretTexts()
  const [created, setCreated] = useState<Created>()
  return (
    <>
      <Dialog isOpen={isOpen} onClose={onClose} title={secrets.create}>
        <NewSecretForm
          principalId={principalId}
          onCancel={onClose}
          onCreated={(secret) => {
            setCreated(secret)
            onClose()
          }}
        />
      </Dialog>
      <ShownOnce
        title={secrets.storeTitle}
        warning={secrets.storeWarning}
        storedLabel={secrets.stored}
        onDone={() => {
          setCreated(undefined)
          // Not before: without an overlap, a person who replaces their own secret is signed out by then.
          onCreated()
        }}
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

type NewSecretFormProps = { principalId: number; onCreated: (created: Created) => void; onCancel: () => void }

function NewSecretForm({ principalId, onCreated, onCancel }: NewSecretFormProps) {
  const secrets = useSecretTexts()
  const keyFor = useIdempotencyKey()
  const form = useForm({ initialValues: { previousValidHours: '24' } })
  const saving = useSaving(form, async (values) => {
    const body = { previousValidHours: Number(values.previousValidHours) }
    onCreated(await createSecret(principalId, body, keyFor(body)))
  })
  const { none, day, days7, days30 } = secrets.overlaps
  return (
    <FormLayout saving={saving} submitLabel={secrets.submit} onCancel={onCancel}>
      <NativeSelect
        data-autofocus
        label={secrets.overlap}
        description={secrets.overlapHint}
        data={[
          { value: '24', label: day },
          { value: '168', label: days7 },
          { value: '720', label: days30 },
          { value: '0', label: none },
        ]}
        {...form.getInputProps('previousValidHours')}
      />
    </FormLayout>
  )
}
