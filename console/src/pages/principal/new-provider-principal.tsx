import { Alert, Anchor, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { answerOf, api, type ProviderPrincipal } from '../../api/client.ts'
import { principalPath, providerPrincipalsKey } from '../../api/principal-list.ts'
import { type ProviderValues, providerBody } from '../../api/principals.ts'
import { FormLayout } from '../../components/form-layout.tsx'
import { UnsavedChanges } from '../../components/unsaved-changes.tsx'
import { useSaving } from '../../components/use-saving.ts'
import { usePrincipalTexts } from '../../texts/principal-texts.ts'
import { ProviderFields } from './fields.tsx'

type NewProviderPrincipalProps = {
  kind: 'user' | 'client'
  onCreated: (path: string) => void
  onCancel: () => void
}

type Values = ProviderValues & { subjectId: string }

export function NewProviderPrincipal({ kind, onCreated, onCancel }: NewProviderPrincipalProps) {
  const principal = usePrincipalTexts()
  const queryClient = useQueryClient()
  const [existing, setExisting] = useState<ProviderPrincipal>()
  const form = useForm<Values>({
    initialValues: { subjectId: '', displayName: '', issuer: '', roles: [] },
    validate: { subjectId: isNotEmpty(principal.subjectIdMissing) },
  })
  const saving = useSaving(form, async ({ subjectId, ...values }) => {
    const body = { isUser: kind === 'user', subjectId: subjectId.trim(), ...providerBody(values) }
    const found = await samePrincipal(kind, body)
    setExisting(found)
    if (found) return
    const { id } = await answerOf(api.POST('/api/admin/principals', { body }))
    await queryClient.invalidateQueries({ queryKey: providerPrincipalsKey })
    notifications.show({ message: principal.created })
    onCreated(principalPath({ kind, id }))
  })
  return (
    <>
      <FormLayout saving={saving} submitLabel={principal.create} onCancel={onCancel}>
        <TextInput
          label={principal.subjectId}
          description={principal.subjectIdHint}
          required
          spellCheck={false}
          {...form.getInputProps('subjectId')}
        />
        <ProviderFields form={form} />
        {existing && <AlreadyThere existing={existing} />}
      </FormLayout>
      <UnsavedChanges exist={form.isDirty()} />
    </>
  )
}

/** The API would treat this as a change to the existing principal, which is not intended here. */
async function samePrincipal(kind: string, { subjectId, issuer }: { subjectId: string; issuer: string | null }) {
  const principals = await answerOf(api.GET('/api/admin/principals'))
  return principals.find(
    (other) => other.subjectType === kind && other.subjectId === subjectId && other.issuer === issuer,
  )
}

function AlreadyThere({ existing }: { existing: ProviderPrincipal }) {
  const principal = usePrincipalTexts()
  return (
    <Alert color="red" role="alert">
      {principal.exists}{' '}
      <Anchor component={Link} size="sm" to={principalPath({ kind: existing.subjectType, id: existing.id })}>
        {principal.openExisting}
      </Anchor>
    </Alert>
  )
}
