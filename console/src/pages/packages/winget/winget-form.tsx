import { Alert, Button, List, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { PackageUpload } from '../../../api/package-uploads.ts'
import { Loading } from '../../../components/loading.tsx'
import { ProblemAlert } from '../../../components/problem-view.tsx'
import { useWingetTexts } from '../../../texts/winget-texts.ts'
import type { ProposalField } from '../uploads/proposal/proposal-fields.ts'
import { ProposalForm } from '../uploads/proposal/proposal-form.tsx'
import type { WingetConversion, WingetPackage } from './use-winget.ts'

type WingetFormProps = {
  conversion: Pick<UseQueryResult<WingetConversion | undefined, unknown>, 'data' | 'error'>
  /** The package of the chosen architecture, if there is one. */
  made: WingetPackage | undefined
  /** The uploaded file that the manifest describes. */
  upload: PackageUpload | undefined
  fields: readonly ProposalField[]
  textOf: (field: ProposalField) => string
  onText: (field: ProposalField, text: string) => void
  overwrite: boolean
  setOverwrite: (overwrite: boolean) => void
  setArchitecture: (architecture: string) => void
  onVersion: (identifier: string, version: string) => void
  /** Called by those who want another package of the mirror. */
  onOther?: () => void
}

/** The package of a manifest, and from where its file comes. */
export function WingetForm(props: WingetFormProps) {
  const { conversion, made, upload, setArchitecture, onVersion, onOther, ...form } = props
  const { data, error } = conversion
  const texts = useWingetTexts()
  return (
    <Stack gap="sm">
      {onOther && (
        <Button variant="default" onClick={onOther}>
          {texts.other}
        </Button>
      )}
      <ProblemAlert error={error} isLoad />
      {!data && !error && <Loading height={240} />}
      {data?.versions && data.versions.length > 1 && (
        <Select
          label={texts.version}
          data={data.versions}
          value={data.version}
          onChange={(version) => version !== null && onVersion(data.identifier, version)}
          searchable
        />
      )}
      {data && data.packages.length > 1 && (
        <SegmentedControl
          aria-label={texts.architecture}
          data={data.packages.map(({ architecture }) => architecture)}
          value={made?.architecture ?? ''}
          onChange={setArchitecture}
        />
      )}
      {data && !made && <NeedsPerson rest={data.rest} />}
      {made && <FileSource made={made} upload={upload} />}
      {made && <ProposalForm proposal={made} fault={undefined} isRenamed={false} {...form} />}
    </Stack>
  )
}

function NeedsPerson({ rest }: Pick<WingetConversion, 'rest'>) {
  const texts = useWingetTexts()
  const reasons = new Set(
    rest.map((one) => texts.rest(one.architecture, one.installerType, texts.reasons[one.reason] ?? one.text)),
  )
  return (
    <Alert color="orange" title={texts.needsPerson}>
      <List size="sm" className="breakable">
        {[...reasons].map((reason) => (
          <List.Item key={reason}>{reason}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

function FileSource({ made, upload }: { made: WingetPackage; upload: PackageUpload | undefined }) {
  const texts = useWingetTexts()
  if (upload) return <Text size="sm">{texts.fromUpload(upload.fileName)}</Text>
  if (made.downloadFault === null)
    return <Text size="sm">{texts.fromVendor(URL.parse(made.url)?.host ?? made.url)}</Text>
  return (
    <Alert color="orange">
      <Text size="sm">{texts.missingFile(made.fileName)}</Text>
      <Text size="sm" className="breakable">
        {made.url}
      </Text>
      <Text size="sm">{made.downloadFault}</Text>
    </Alert>
  )
}
