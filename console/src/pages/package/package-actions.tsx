import { ActionIcon, Button, Menu } from '@mantine/core'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import type { Versioned } from '../../api/client.ts'
import type { Package, PackagePageData } from '../../api/packages.ts'
import { IconDots } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { usePackageLineTexts } from '../../texts/package-line-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ImportPanel, useImportForm } from '../packages/import-panel.tsx'
import { AssignPanel } from './assign-panel.tsx'
import { DeployMenu } from './deploy-menu.tsx'
import { HashPanel } from './hash-panel.tsx'
import { LinePanel } from './line/line-panel.tsx'
import { ReleasePanel } from './release-panel.tsx'
import { ReplacePanel } from './replace-panel.tsx'
import { TagsPanel } from './tags-panel.tsx'

type PanelName = 'release' | 'assign' | 'hash' | 'import' | 'replace' | 'tags' | 'line'

type PackageActionsProps = { page: PackagePageData; version: Versioned<Package> | undefined }

/** What a person may do with the package. Each action opens its review. */
export function PackageActions({ page, version }: PackageActionsProps) {
  const { actions } = useTexts().packages
  const { shown, open, onClose } = usePanels<PanelName>()
  const [mayWrite, mayAssign] = [useHasRole('package.write'), useHasRole('group.write')]
  const show = (name: PanelName) => open(name, undefined)
  const { operational } = page.package
  return (
    <>
      <DeployMenu page={page} />
      {mayAssign && page.package.type === 'Software' && (
        <Button variant={operational && page.groups.length === 0 ? 'filled' : 'default'} onClick={() => show('assign')}>
          {actions.assignOpen}
        </Button>
      )}
      {mayWrite && (
        <Button variant={operational ? 'default' : 'filled'} disabled={!version} onClick={() => show('release')}>
          {operational ? actions.withdraw : actions.release}
        </Button>
      )}
      <MoreActions page={page} onChoose={show} />
      {shown && (
        <Panel
          key={shown.number}
          name={shown.name}
          page={page}
          version={version}
          isOpen={shown.isOpen}
          onClose={onClose}
        />
      )}
    </>
  )
}

function Panel({ name, page, version, ...panel }: PanelProps & PackageActionsProps & { name: PanelName }) {
  const { package: found, groups, folder } = page
  if (name === 'release') return version && <ReleasePanel {...panel} version={version} />
  if (name === 'assign') return <AssignPanel {...panel} found={found} groups={groups} />
  if (name === 'hash') return <HashPanel {...panel} found={found} />
  if (name === 'replace') return <ReplacePanel {...panel} page={page} />
  if (name === 'line') return <LinePanel {...panel} found={found} />
  if (name === 'tags') return <TagsPanel {...panel} found={found} />
  return folder === null ? null : <ImportAgain {...panel} page={page} folder={folder} />
}

type MoreActionsProps = { page: PackagePageData; onChoose: (panel: PanelName) => void }

function MoreActions({ page, onChoose }: MoreActionsProps) {
  const { actions } = useTexts().packages
  const { line } = usePackageLineTexts()
  const [mayWrite, mayAssign] = [useHasRole('package.write'), useHasRole('group.write')]
  const items: { panel: PanelName; label: string; isOffered: boolean }[] = [
    { panel: 'replace', label: actions.replace, isOffered: mayAssign && page.package.type === 'Software' },
    { panel: 'import', label: actions.import, isOffered: mayWrite && page.folder !== null },
    { panel: 'hash', label: actions.hash, isOffered: mayWrite && page.folder !== null },
    { panel: 'tags', label: actions.tags, isOffered: mayWrite },
    { panel: 'line', label: line.open, isOffered: mayWrite && page.package.type === 'Software' },
  ]
  const offered = items.filter(({ isOffered }) => isOffered)
  if (offered.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="input-sm" aria-label={actions.menu}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map(({ panel, label }) => (
          <Menu.Item key={panel} onClick={() => onChoose(panel)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

type ImportAgainProps = PanelProps & { page: PackagePageData; folder: string }

function ImportAgain({ page, folder, ...panel }: ImportAgainProps) {
  const form = useImportForm({ folderPath: folder, overwrite: true })
  return (
    <ImportPanel
      {...panel}
      form={form}
      toProgress={(trackingId) => `/packages/${page.package.id}?import=${trackingId}`}
    />
  )
}
