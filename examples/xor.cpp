// xor - the library in C++: owners free what they hold, and errors are exceptions.
//
// A unique_ptr with a deleter owns each handle. Members of `exclusive_or` are destroyed in the
// reverse order of their declaration, so the context goes last. A network of two layers learns
// exclusive or, which no network of one layer can.
#include <glnn/glnn.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

class error : public std::runtime_error {
public:
    explicit error(glnn_status status) : std::runtime_error(glnn_last_error()), status(status) {}
    const glnn_status status;
};

// Every call of the library is an argument of this function.
void check(glnn_status status)
{
    if (status != GLNN_OK)
        throw error(status);
}

// A deleter that calls the destroy function of a type.
template <auto destroy> struct deleter {
    template <typename T> void operator()(T *handle) const { destroy(handle); }
};

using context = std::unique_ptr<glnn_context, deleter<glnn_context_destroy>>;
using dataset = std::unique_ptr<glnn_dataset, deleter<glnn_dataset_destroy>>;
using network = std::unique_ptr<glnn_network, deleter<glnn_network_destroy>>;

// Calls a create function, whose last argument is the new handle, and returns its owner.
template <typename Owner, typename Create, typename... Arguments>
Owner make(Create create, Arguments... arguments)
{
    typename Owner::pointer handle = nullptr;
    check(create(arguments..., &handle));
    return Owner(handle);
}

class exclusive_or {
public:
    exclusive_or()
        : context_(make<context>(glnn_context_create, nullptr)),
          data_(make<dataset>(glnn_dataset_create, context_.get(), &patterns())),
          network_(make<network>(glnn_network_create, context_.get(), &layers()))
    {
    }

    void train(int epochs)
    {
        glnn_train_desc desc = {};
        desc.epochs = epochs;
        desc.batch = GLNN_FULL_BATCH;
        desc.schedule.rate = 0.5f;
        check(glnn_network_train(network_.get(), data_.get(), &desc, nullptr));
    }

    std::vector<float> predict(const std::vector<float> &samples) const
    {
        const auto count = static_cast<int>(samples.size()) / 2;
        std::vector<float> outputs(samples.size() / 2);
        check(glnn_network_predict(network_.get(), count, samples.data(), outputs.data(), nullptr));
        return outputs;
    }

    static const std::vector<float> inputs, targets;

private:
    // Descriptions begin as zeros, which mean the defaults.
    static const glnn_dataset_desc &patterns()
    {
        static glnn_dataset_desc desc = {};
        desc.samples = 4;
        desc.features = 2;
        desc.inputs = inputs.data();
        desc.targets = targets.data();
        desc.outputs = 1;
        return desc;
    }

    static const glnn_network_desc &layers()
    {
        static glnn_network_desc desc = {};
        desc.features = 2;
        desc.layers[0].units = 4;
        desc.layers[0].activation = GLNN_ACTIVATION_TANH;
        desc.layers[1].units = 1;
        desc.layers[1].activation = GLNN_ACTIVATION_SIGMOID;
        desc.loss = GLNN_LOSS_SQUARED;
        desc.optimizer.momentum = 0.9f;
        desc.seed = 1;
        return desc;
    }

    context context_;
    dataset data_;
    network network_;
};

const std::vector<float> exclusive_or::inputs = {0, 0, 0, 1, 1, 0, 1, 1};
const std::vector<float> exclusive_or::targets = {0, 1, 1, 0};

} // namespace

int main()
try {
    exclusive_or learner;
    learner.train(1000);
    const auto outputs = learner.predict(exclusive_or::inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        std::printf("%g xor %g = %.3f\n", exclusive_or::inputs[2 * i],
                    exclusive_or::inputs[2 * i + 1], outputs[i]);

    // An input that is not a finite number is an error, and here an exception.
    try {
        learner.predict({0, 1.0f / 0.0f});
    } catch (const error &e) {
        std::printf("%s: %s\n", glnn_status_name(e.status), e.what());
    }
    return 0;
} catch (const std::exception &e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
}
