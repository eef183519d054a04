import { Fieldset, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EditReview } from '../../../actions/edit-review.tsx'
import { answerOf, api, type Schemas, type Versioned, versionOf } from '../../../api/client.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useComputerRecordTexts } from '../../../texts/computer-record-texts.ts'
import { ComputerFields, type ComputerRecord } from '../../computers/computer-fields.tsx'
import { computerKey } from '../computer-data.ts'
import type { ActionPanelProps } from './action-panel.ts'

const emptyUuid = '00000000-0000-0000-0000-000000000000'

/** The values of custom fields are beside the others, under the names of their slots: each is changed by itself. */
type Edited = ComputerRecord & Record<Slot, string>

/** Changes the record of the computer, with its custom fields, unless somebody has changed it meanwhile. */
export function EditPanel({ page, ...panel }: ActionPanelProps) {
  const texts = useComputerRecordTexts()
  const { id, hostname } = page.computer
  const path = { id }
  const { data: version, error } = useQuery({
    queryKey: [...computerKey(id), 'version'],
    queryFn: async () => toRecord(await versionOf(api.GET('/api/computer/{id}', { params: { path } }))),
  })
  const slots = useActiveSlots()
  return (
    <EditReview
      {...panel}
      version={version}
      error={error}
      title={texts.editTitle(hostname)}
      labels={{ ...texts.fields, ...Object.fromEntries(slots) }}
      fields={(values, type) => (
        <>
          <ComputerFields record={values} onChange={type} />
          {slots.length > 0 && (
            <Fieldset legend={texts.customFields}>
              <Stack gap="sm">
                {slots.map(([slot, designation]) => (
                  <NamedField key={slot} name={slot}>
                    <TextInput
                      label={designation}
                      maxLength={50}
                      autoComplete="off"
                      value={values[slot] ?? ''}
                      onChange={(event) => type({ [slot]: event.currentTarget.value })}
                    />
                  </NamedField>
                ))}
              </Stack>
            </Fieldset>
          )}
        </>
      )}
      isComplete={(values) => values.hostname.trim() !== ''}
      send={({ uncounted: query, headers }, { typed }) =>
        api.PATCH('/api/computer/{id}', { params: { path, query, header: headers }, body: toRequest(typed) })
      }
      describe={({ answer }) => texts.edits(answer.hostname)}
      refreshes={[computerKey(id), ['computers']]}
    />
  )
}

type Slot = `Custom${string}`

const isSlot = (name: string): name is Slot => name.startsWith('Custom')

/** The slots of custom fields that are in use, each with its name for people. */
function useActiveSlots(): [Slot, string][] {
  const { data = [] } = useQuery({
    queryKey: ['custom-fields'],
    queryFn: () => answerOf(api.GET('/api/custom-field-configuration')),
  })
  return data.flatMap(({ slot, designation, isActive }): [Slot, string][] =>
    isActive && isSlot(slot) ? [[slot, designation]] : [],
  )
}

function toRecord({ value, etag }: Versioned<Schemas['Computer']>): Versioned<Edited> {
  const { hostname, domain, macAddress, uuid, serialNumber, inventoryId, ou, isDomain, pxeSupport, custom } = value
  const texts = { ...custom, domain, macAddress, serialNumber, inventoryId, ou, uuid: uuid === emptyUuid ? '' : uuid }
  const entries = Object.entries(texts).map(([name, text]) => [name, text ?? ''])
  return { etag, value: { ...Object.fromEntries(entries), hostname, isDomain, pxeSupport } as Edited }
}

/** Only what was typed. An empty text clears a value; the empty GUID does so for the UUID. */
function toRequest({ hostname, uuid, ...changes }: Partial<Edited>) {
  const entries = Object.entries(changes)
  const custom = entries.filter(([name]) => isSlot(name))
  return {
    ...Object.fromEntries(entries.filter(([name]) => !isSlot(name))),
    ...(custom.length > 0 && { custom: Object.fromEntries(custom) as Record<string, string> }),
    ...(hostname !== undefined && { name: hostname }),
    ...(uuid !== undefined && { uuid: uuid.trim() === '' ? emptyUuid : uuid }),
  }
}
