import { Checkbox, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useRepositoryPackageTexts } from '../../../texts/repository-package-texts.ts'
import { emptyForm, isComplete, type RepositoryForm, toSource, type VersionPolicy } from './repository-form.ts'

type RepositoryPanelProps = { onClose: () => void; toProgress: (trackingId: string) => string }

export function RepositoryPanel({ onClose, toProgress }: RepositoryPanelProps) {
  const texts = useRepositoryPackageTexts()
  const [form, setForm] = useState(emptyForm)
  // The service checks the form once typing pauses.
  const [checked] = useDebouncedValue(form, 300)
  return (
    <ReviewPanel
      isOpen
      onClose={onClose}
      action={{
        title: texts.title,
        label: texts.submit,
        requestKey: checked,
        isComplete: form === checked && isComplete(form),
        form: <RepositoryFields form={form} onChange={(changes) => setForm({ ...form, ...changes })} />,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/packages/from-repository', {
            params: { query, header: headers },
            body: { source: toSource(form), overwrite: false },
          }),
        describe: () => texts.describe(form.package.trim()),
        done: ({ trackingId }) => ({ text: texts.started, to: toProgress(trackingId) }),
      }}
    />
  )
}

type FieldsProps = { form: RepositoryForm; onChange: (changes: Partial<RepositoryForm>) => void }

const plain = { autoComplete: 'off', spellCheck: false } as const

function RepositoryFields({ form, onChange }: FieldsProps) {
  const texts = useRepositoryPackageTexts()
  return (
    <Stack gap="sm">
      <NamedField name="package">
        <TextInput
          data-autofocus
          required
          label={texts.package}
          description={texts.packageHint}
          value={form.package}
          onChange={(event) => onChange({ package: event.currentTarget.value })}
          {...plain}
        />
      </NamedField>
      <SegmentedControl
        aria-label={texts.policy}
        data={Object.entries(texts.policies).map(([value, label]) => ({ value, label }))}
        value={form.policy}
        onChange={(policy) => onChange({ policy: policy as VersionPolicy })}
      />
      {form.policy !== 'latest' && (
        <NamedField name={form.policy === 'exact' ? 'version' : 'minVersion'}>
          <TextInput
            required
            label={texts.version}
            value={form.version}
            onChange={(event) => onChange({ version: event.currentTarget.value })}
            {...plain}
          />
        </NamedField>
      )}
      <Checkbox
        label={texts.keepVersion}
        description={texts.keepVersionHint}
        checked={form.keepVersion}
        onChange={(event) => onChange({ keepVersion: event.currentTarget.checked })}
      />
      {form.policy === 'exact' && (
        <Checkbox
          label={texts.allowDowngrade}
          description={texts.allowDowngradeHint}
          checked={form.allowDowngrade}
          onChange={(event) => onChange({ allowDowngrade: event.currentTarget.checked })}
        />
      )}
      <NamedField name="url">
        <TextInput
          label={texts.repository}
          description={texts.repositoryHint}
          value={form.url}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
          {...plain}
        />
      </NamedField>
      {form.url.trim() !== '' && <GivenRepositoryFields form={form} onChange={onChange} />}
    </Stack>
  )
}

function GivenRepositoryFields({ form, onChange }: FieldsProps) {
  const texts = useRepositoryPackageTexts()
  return (
    <>
      {!form.package.trim().startsWith('rpm:') && (
        <NamedField name="suite">
          <TextInput
            required
            label={texts.suite}
            description={texts.suiteHint}
            value={form.suite}
            onChange={(event) => onChange({ suite: event.currentTarget.value })}
            {...plain}
          />
        </NamedField>
      )}
      <NamedField name="key">
        <Textarea
          required
          rows={6}
          label={texts.key}
          description={texts.keyHint}
          value={form.key}
          onChange={(event) => onChange({ key: event.currentTarget.value })}
          {...plain}
        />
      </NamedField>
    </>
  )
}
