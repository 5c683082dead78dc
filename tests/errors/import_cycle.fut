import "import_cycle" -- error: `import_cycle.fut` imports itself
import "imported/../import_cycle" -- error: `import_cycle.fut` imports itself
