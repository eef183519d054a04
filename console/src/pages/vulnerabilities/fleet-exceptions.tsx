import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '../../components/icons.ts'
import { TitledTable } from '../../components/titled-table.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useVulnerabilityTexts } from '../../texts/vulnerability-texts.ts'
import { ExceptionList } from '../vulnerability/exception-list.tsx'
import { ImportVexDialog } from './import-vex-dialog.tsx'

/** What was decided about all vulnerabilities, which other tools read and write as VEX. */
export function FleetExceptions() {
  const texts = useVulnerabilityTexts()
  const mayApprove = useHasRole('pm.approve')
  const [isImporting, dialog] = useDisclosure()
  return (
    <TitledTable
      title={texts.exceptions}
      hint={texts.vexHint}
      actions={
        <Group gap="xs">
          <DownloadVex address="/api/vulnerability-exceptions/vex" label={texts.downloadVex} />
          <DownloadVex address="/api/vulnerability-exceptions/csaf" label={texts.downloadCsaf} />
          {mayApprove && (
            <Button variant="default" size="compact-sm" onClick={dialog.open}>
              {texts.importVex}
            </Button>
          )}
        </Group>
      }
    >
      <ExceptionList query={{ isInForce: true }} empty={texts.noExceptionsInForce} />
      <ImportVexDialog isOpen={isImporting} onClose={dialog.close} />
    </TitledTable>
  )
}

function DownloadVex({ address, label }: { address: string; label: string }) {
  return (
    <Button
      component="a"
      href={address}
      download
      variant="default"
      size="compact-sm"
      leftSection={<IconDownload size={14} aria-hidden />}
    >
      {label}
    </Button>
  )
}
