//! The floor: the same components on wasmtime alone, with the settings of the host and nothing of its work.
#![allow(dead_code, reason = "each benchmark uses a part of it")]
#![expect(
    clippy::disallowed_methods,
    reason = "the rules of the host bind the host, not what measures it"
)]

use std::{thread, time::Duration};

use callgate::EngineLimits;
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Result, Store,
    component::{Accessor, Component, HasSelf, Linker},
};

use self::bindings::{WorkflowPre, callgate::mcp::tools};

mod bindings {
    wasmtime::component::bindgen!({
        path: "../wit",
        world: "workflow",
        imports: { default: trappable },
    });
}

/// What stops a guest that doesn't end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interruption {
    /// Nothing.
    None,
    /// It gives way at every tick.
    Epoch,
}

/// A component, ready to run.
pub(crate) struct Bare {
    engine: Engine,
    workflow: WorkflowPre<Answer>,
    interruption: Interruption,
    answer: Answer,
}

/// What each call of a run is answered with.
#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) output: String,
    pub(crate) after: Duration,
}

impl Answer {
    /// At once.
    pub(crate) fn with(output: String) -> Self {
        Self { output, after: Duration::ZERO }
    }
}

impl Bare {
    /// With a pool of so many places.
    pub(crate) fn pooled(component: &[u8], places: u32, answer: Answer) -> Self {
        let limits = EngineLimits::default();
        let mut pool = PoolingAllocationConfig::new();
        pool.total_memories(places)
            .total_tables(places * limits.pool.tables_per_place)
            .total_stacks(places * limits.pool.stacks_per_place)
            .total_core_instances(places * limits.pool.instances_per_place)
            .total_component_instances(places)
            .max_component_instance_size(limits.pool.max_instance_bytes)
            .table_elements(limits.pool.max_table_elements);
        if PoolingAllocationConfig::is_pagemap_scan_available() {
            pool.pagemap_scan(Enabled::Yes)
                .linear_memory_keep_resident(limits.pool.keep_memory_bytes)
                .table_keep_resident(limits.pool.keep_table_bytes);
        }
        let mut config = Config::new();
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
        Self::with(config, component, Interruption::Epoch, answer)
    }

    /// With memory from the system.
    pub(crate) fn on_demand(component: &[u8], interruption: Interruption, answer: Answer) -> Self {
        Self::with(Config::new(), component, interruption, answer)
    }

    fn with(
        mut config: Config,
        component: &[u8],
        interruption: Interruption,
        answer: Answer,
    ) -> Self {
        let limits = EngineLimits::default();
        config
            .epoch_interruption(interruption == Interruption::Epoch)
            .max_wasm_stack(limits.max_stack_bytes)
            .async_stack_size(limits.max_stack_bytes + limits.host_stack_bytes);
        let engine = Engine::new(&config).expect("an engine");
        if interruption == Interruption::Epoch {
            let weak = engine.weak();
            thread::spawn(move || {
                while let Some(engine) = weak.upgrade() {
                    engine.increment_epoch();
                    drop(engine);
                    thread::sleep(limits.tick);
                }
            });
        }
        let component = Component::from_binary(&engine, component).expect("a component");
        let mut linker = Linker::new(&engine);
        tools::add_to_linker::<Answer, HasSelf<Answer>>(&mut linker, |answer| answer)
            .expect("an import");
        let instance = linker.instantiate_pre(&component).expect("a workflow");
        let workflow = WorkflowPre::new(instance).expect("a workflow");
        Self { engine, workflow, interruption, answer }
    }

    /// Runs to the end, which has to be a good one.
    pub(crate) async fn run(&self, input: &str) {
        let mut store = Store::new(&self.engine, self.answer.clone());
        if self.interruption == Interruption::Epoch {
            store.set_epoch_deadline(1);
            store.epoch_deadline_async_yield_and_update(1);
        }
        let workflow = self.workflow.instantiate_async(&mut store).await.expect("it starts");
        let run = workflow.callgate_mcp_run();
        let ended = store
            .run_concurrent(async |accessor| run.call_run(accessor, input.to_owned()).await)
            .await;
        ended.expect("no trap").expect("no trap").expect("a result");
    }
}

impl tools::Host for Answer {}

impl<T: Send + 'static> tools::HostWithStore<T> for HasSelf<Answer> {
    async fn call_tool(
        accessor: &Accessor<T, Self>,
        _connection: String,
        _tool: String,
        _arguments: String,
    ) -> Result<Result<tools::ToolCallResult, tools::CallError>> {
        let Answer { output, after } = accessor.with(|mut access| access.get().clone());
        if !after.is_zero() {
            tokio::time::sleep(after).await;
        }
        let outcome = tools::Outcome::Ok;
        Ok(Ok(tools::ToolCallResult { outcome, output, content: Vec::new(), meta: None }))
    }
}
