import { TagsInput, TextInput } from '@mantine/core'
import { NamedField } from '../../components/named-field.tsx'
import { useWebhookTexts } from '../../texts/webhook-texts.ts'

export type WebhookValues = { name: string; url: string; types: string[] }

type WebhookFieldsProps = { values: WebhookValues; onChange: (changes: Partial<WebhookValues>) => void }

/** What a webhook sends, and where to. */
export function WebhookFields({ values, onChange }: WebhookFieldsProps) {
  const { fields, urlHint, typesHint } = useWebhookTexts()
  return (
    <>
      <NamedField name="name">
        <TextInput
          data-autofocus
          required
          label={fields.name}
          autoComplete="off"
          value={values.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </NamedField>
      <NamedField name="url">
        <TextInput
          required
          label={fields.url}
          description={urlHint}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={values.url}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
        />
      </NamedField>
      <NamedField name="types">
        <TagsInput
          label={fields.types}
          description={typesHint}
          maxTags={100}
          value={values.types}
          onChange={(types) => onChange({ types })}
          acceptValueOnBlur
        />
      </NamedField>
    </>
  )
}
