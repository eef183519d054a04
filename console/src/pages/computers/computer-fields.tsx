import { Checkbox, TextInput } from '@mantine/core'
import { NamedField } from '../../components/named-field.tsx'
import { useComputerRecordTexts } from '../../texts/computer-record-texts.ts'

/** What an administrator enters for a computer. An empty text means that there is no value. */
export type ComputerRecord = Record<(typeof textNames)[number], string> & { isDomain: boolean; pxeSupport: boolean }

const textNames = ['hostname', 'domain', 'macAddress', 'uuid', 'serialNumber', 'inventoryId', 'ou'] as const

export const emptyRecord: ComputerRecord = {
  hostname: '',
  domain: '',
  macAddress: '',
  uuid: '',
  serialNumber: '',
  inventoryId: '',
  ou: '',
  isDomain: false,
  pxeSupport: true,
}

type ComputerFieldsProps = { record: ComputerRecord; onChange: (changes: Partial<ComputerRecord>) => void }

export function ComputerFields({ record, onChange }: ComputerFieldsProps) {
  const { fields } = useComputerRecordTexts()
  return (
    <>
      {textNames.map((name) => (
        <NamedField key={name} name={name}>
          <TextInput
            {...(name === 'hostname' && { 'data-autofocus': true })}
            label={fields[name]}
            required={name === 'hostname' || name === 'domain'}
            autoComplete="off"
            spellCheck={false}
            value={record[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.value })}
          />
        </NamedField>
      ))}
      {(['isDomain', 'pxeSupport'] as const).map((name) => (
        <Checkbox
          key={name}
          label={fields[name]}
          checked={record[name]}
          onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
        />
      ))}
    </>
  )
}
