import { ActionIcon, Button, Menu } from '@mantine/core'
import { usePanels } from '../../actions/use-panels.ts'
import type { Versioned } from '../../api/client.ts'
import { IconDots } from '../../components/icons.ts'
import { useReportTexts } from '../../texts/report-texts.ts'
import type { Report } from '../reports/reports.ts'
import { DeletePanel, EditPanel, PausePanel, RunPanel } from './report-panels.tsx'

const panels = { edit: EditPanel, pause: PausePanel, run: RunPanel, delete: DeletePanel }

/** What can be done with a report. Administrators pause and delete those of others, and no more. */
export function ReportActions({ version, isOwn }: { version: Versioned<Report>; isOwn: boolean }) {
  const texts = useReportTexts()
  const { shown, open, onClose } = usePanels<keyof typeof panels>()
  const show = (name: keyof typeof panels) => open(name, undefined)
  const Panel = shown && panels[shown.name]
  const { isPaused } = version.value
  return (
    <>
      {isOwn && <Button onClick={() => show('run')}>{texts.run}</Button>}
      {(isOwn || !isPaused) && (
        <Button variant="default" onClick={() => show('pause')}>
          {isPaused ? texts.resume : texts.pause}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={texts.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isOwn && <Menu.Item onClick={() => show('edit')}>{texts.edit}</Menu.Item>}
          <Menu.Item color="red" onClick={() => show('delete')}>
            {texts.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {Panel && <Panel key={shown.number} version={version} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}
