import { ActionIcon, Button, Menu } from '@mantine/core'
import { useState } from 'react'
import type { PackagePageData } from '../../api/packages.ts'
import { IconDots } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ImportPanel, useImportForm } from '../packages/import-panel.tsx'
import { DeployPanel } from './deploy-panel.tsx'
import { HashPanel } from './hash-panel.tsx'
import { ReleasePanel } from './release-panel.tsx'
import { ReplacePanel } from './replace-panel.tsx'
import { TagsPanel } from './tags-panel.tsx'

type Panel = 'release' | 'deploy' | 'hash' | 'import' | 'replace' | 'tags'

type PackageActionsProps = { page: PackagePageData; etag: string | undefined }

/** What a person may do with the package. Each action opens its review. */
export function PackageActions({ page, etag }: PackageActionsProps) {
  const { actions } = useTexts().packages
  const [open, setOpen] = useState<Panel>()
  const [mayWrite, mayAssign] = [useHasRole('package.write'), useHasRole('group.write')]
  const panelOf = (panel: Panel) => ({ isOpen: open === panel, onClose: () => setOpen(undefined) })
  const { operational } = page.package
  return (
    <>
      {mayAssign && page.package.type === 'Software' && (
        <Button variant={operational ? 'filled' : 'default'} onClick={() => setOpen('deploy')}>
          {actions.deploy}
        </Button>
      )}
      {mayWrite && (
        <Button variant={operational ? 'default' : 'filled'} disabled={!etag} onClick={() => setOpen('release')}>
          {operational ? actions.withdraw : actions.release}
        </Button>
      )}
      <MoreActions page={page} onChoose={setOpen} />
      <ReleasePanel {...panelOf('release')} found={page.package} etag={etag ?? ''} />
      <DeployPanel {...panelOf('deploy')} found={page.package} groups={page.groups} />
      <HashPanel {...panelOf('hash')} found={page.package} />
      <ReplacePanel {...panelOf('replace')} page={page} />
      <TagsPanel {...panelOf('tags')} found={page.package} />
      {page.folder !== null && <ImportAgain {...panelOf('import')} page={page} folder={page.folder} />}
    </>
  )
}

type MoreActionsProps = { page: PackagePageData; onChoose: (panel: Panel) => void }

function MoreActions({ page, onChoose }: MoreActionsProps) {
  const { actions } = useTexts().packages
  const [mayWrite, mayAssign] = [useHasRole('package.write'), useHasRole('group.write')]
  const items: { panel: Panel; label: string; isOffered: boolean }[] = [
    { panel: 'replace', label: actions.replace, isOffered: mayAssign && page.package.type === 'Software' },
    { panel: 'import', label: actions.import, isOffered: mayWrite && page.folder !== null },
    { panel: 'hash', label: actions.hash, isOffered: mayWrite && page.folder !== null },
    { panel: 'tags', label: actions.tags, isOffered: mayWrite },
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

type ImportAgainProps = { isOpen: boolean; onClose: () => void; page: PackagePageData; folder: string }

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
