import { NumberInput, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DeleteReview } from '../../actions/delete-review.tsx'
import { EditReview } from '../../actions/edit-review.tsx'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { PanelProps } from '../../actions/use-panels.ts'
import { api, versionOf } from '../../api/client.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useReportTexts } from '../../texts/report-texts.ts'
import { type Licence, licencesKey } from './reports.ts'

type LicenceValues = { name: string; productPattern: string; owned: number | string }
type LicencePanelProps = PanelProps & { licence: Licence }

const refreshes = [licencesKey]

const areComplete = ({ name, productPattern, owned }: LicenceValues) =>
  name.trim() !== '' && productPattern.trim() !== '' && owned !== ''

export function CreateLicence(panel: PanelProps) {
  const { licences } = useReportTexts()
  const [typed, setTyped] = useState<LicenceValues>({ name: '', productPattern: '', owned: '' })
  const [settled] = useDebouncedValue(typed, 250)
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: licences.create,
        label: licences.create,
        requestKey: settled,
        isComplete: areComplete(typed) && settled === typed,
        form: (
          <Stack gap="sm">
            <LicenceFields values={typed} onChange={(changes) => setTyped((before) => ({ ...before, ...changes }))} />
          </Stack>
        ),
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/licences', {
            params: { query, header: headers },
            body: { ...typed, owned: Number(typed.owned) },
          }),
        describe: ({ answer }) => licences.creates(answer.name),
        done: ({ name }) => ({ text: licences.created(name) }),
        refreshes,
      }}
    />
  )
}

export function EditLicence({ licence, ...panel }: LicencePanelProps) {
  const { licences } = useReportTexts()
  const { id, name } = licence
  const { data: version, error } = useLicenceVersion(id)
  return (
    <EditReview<LicenceValues>
      {...panel}
      version={version}
      known={licence}
      error={error}
      title={licences.editTitle(name)}
      labels={licences.fields}
      fields={(values, type) => <LicenceFields values={values} onChange={type} />}
      isComplete={areComplete}
      send={({ uncounted: query, headers }, { typed: { owned, ...texts } }) =>
        api.PATCH('/api/licences/{id}', {
          params: { path: { id }, query, header: headers },
          body: { ...texts, ...(owned !== undefined && { owned: Number(owned) }) },
        })
      }
      describe={() => licences.edits}
      refreshes={refreshes}
    />
  )
}

export function DeleteLicence({ licence: { id, name }, ...panel }: LicencePanelProps) {
  const texts = useReportTexts()
  const { licences } = texts
  const { data: version } = useLicenceVersion(id)
  return (
    <DeleteReview
      {...panel}
      version={version}
      labels={licences.fields}
      title={licences.deleteTitle(name)}
      label={texts.delete}
      send={({ uncounted: query, headers }) =>
        api.DELETE('/api/licences/{id}', { params: { path: { id }, query, header: headers } })
      }
      describe={() => licences.deletes}
      done={() => ({ text: licences.deleted(name) })}
      refreshes={refreshes}
    />
  )
}

function useLicenceVersion(id: string) {
  return useQuery({
    queryKey: [...licencesKey, 'version', id],
    queryFn: () => versionOf(api.GET('/api/licences/{id}', { params: { path: { id } } })),
  })
}

type LicenceFieldsProps = { values: LicenceValues; onChange: (changes: Partial<LicenceValues>) => void }

function LicenceFields({ values, onChange }: LicenceFieldsProps) {
  const { licences } = useReportTexts()
  const { fields } = licences
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
      <NamedField name="productPattern">
        <TextInput
          required
          label={fields.productPattern}
          description={licences.patternHint}
          autoComplete="off"
          value={values.productPattern}
          onChange={(event) => onChange({ productPattern: event.currentTarget.value })}
        />
      </NamedField>
      <NamedField name="owned">
        <NumberInput
          required
          label={fields.owned}
          min={0}
          allowDecimal={false}
          value={values.owned}
          onChange={(owned) => onChange({ owned })}
        />
      </NamedField>
    </>
  )
}
