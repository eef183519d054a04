import { Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Role } from '../../api/client.ts'
import type { LocalValues, ProviderValues } from '../../api/principals.ts'
import { DateTimeField } from '../../components/date-time-field.tsx'
import { RolePicker } from '../../components/role-picker.tsx'
import { useFormat } from '../../texts/format.ts'
import { usePrincipalTexts } from '../../texts/principal-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Difference } from './differences.tsx'
import { mergeSets, type ShownField, type Versions } from './merge.ts'

type LocalFieldsProps = { form: UseFormReturnType<LocalValues>; expiresHint?: string; isNew?: boolean }

export function LocalFields({ form, expiresHint, isNew = false }: LocalFieldsProps) {
  const principal = usePrincipalTexts()
  const { days30, days90, year, never } = principal.expiresIn
  const { expiresAtUtc } = form.values
  const isPast = expiresAtUtc !== null && Date.parse(expiresAtUtc) <= Date.now()
  return (
    <>
      <Textarea
        label={principal.description}
        description={principal.descriptionHint}
        withAsterisk={isNew}
        {...form.getInputProps('description')}
      />
      <DateTimeField
        label={principal.expires}
        description={expiresHint ?? principal.expiresHint}
        choices={[
          { label: days30, days: 30 },
          { label: days90, days: 90 },
          { label: year, days: 365 },
          { label: never, days: null },
        ]}
        {...form.getInputProps('expiresAtUtc')}
        value={expiresAtUtc}
        {...(isPast && { error: form.errors.expiresAtUtc ?? principal.expiryInPast })}
      />
      <RolePicker {...form.getInputProps('roles')} value={form.values.roles} />
      {form.values.roles.length === 0 && <Text size="sm">{principal.noRolesHint}</Text>}
    </>
  )
}

export function ProviderFields({ form }: { form: UseFormReturnType<ProviderValues> }) {
  const principal = usePrincipalTexts()
  return (
    <>
      <TextInput label={principal.displayName} {...form.getInputProps('displayName')} />
      <TextInput
        label={principal.issuer}
        description={principal.issuerHint}
        spellCheck={false}
        {...form.getInputProps('issuer')}
      />
      <RolePicker {...form.getInputProps('roles')} value={form.values.roles} />
      {form.values.roles.length === 0 && <Text size="sm">{principal.noRolesHint}</Text>}
    </>
  )
}

/** Roles that either person added or removed are kept: nobody overwrites a change of the other unseen. */
const mergeRoles = <Values extends { roles: Role[] }>({ base, mine, theirs }: Versions<Values>) => ({
  roles: mergeSets(base.roles, mine.roles, theirs.roles),
})

const inOrder = (roles: readonly string[]) => [...roles].sort().join(', ')

export function useLocalFields(): ShownField<LocalValues>[] {
  const { common } = useTexts()
  const principal = usePrincipalTexts()
  const format = useFormat()
  return [
    { name: 'description', label: principal.description, show: ({ description }) => description },
    {
      name: 'expiresAtUtc',
      label: principal.expires,
      show: ({ expiresAtUtc }) => (expiresAtUtc ? format.exactDateTime(expiresAtUtc) : common.never),
    },
    { name: 'roles', label: principal.roles, show: ({ roles }) => inOrder(roles), merge: mergeRoles },
  ]
}

export function useProviderFields(): ShownField<ProviderValues>[] {
  const principal = usePrincipalTexts()
  return [
    { name: 'displayName', label: principal.displayName, show: ({ displayName }) => displayName },
    { name: 'issuer', label: principal.issuer, show: ({ issuer }) => issuer },
    { name: 'roles', label: principal.roles, show: ({ roles }) => inOrder(roles), merge: mergeRoles },
  ]
}

/** What differs between two sets of values, as the person sees it. */
export function differencesOf<Values>(
  fields: readonly ShownField<Values>[],
  before: Values,
  now: Values,
): Difference[] {
  return fields
    .map(({ label, show }) => ({ label, before: show(before), now: show(now) }))
    .filter((one) => one.before !== one.now)
}
