// xor - the library in C++: owners free what they hold, and errors are exceptions.
//
// A unique_ptr with a deleter owns each handle. Variables are destroyed in the reverse order of
// their definition, so the context is defined first and destroyed last. The network learns
// exclusive or, which a network without hidden units cannot.
#include <glnn/glnn.h>

#include <array>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

namespace
{

// A status other than GLNN_OK, with the library's sentence.
class error : public std::runtime_error
{
  public:
    explicit error(glnn_status of) : std::runtime_error(glnn_last_error()), status(of)
    {
    }
    const glnn_status status;
};

// Every call of the library that can fail is an argument of this function.
void check(glnn_status status)
{
    if (status != GLNN_OK)
        throw error(status);
}

// A deleter that calls the destroy function of a type.
template <auto destroy> struct deleter {
    template <typename T> void operator()(T *handle) const
    {
        destroy(handle);
    }
};

using context = std::unique_ptr<glnn_context, deleter<glnn_context_destroy>>;
using dataset = std::unique_ptr<glnn_dataset, deleter<glnn_dataset_destroy>>;
using network = std::unique_ptr<glnn_learner, deleter<glnn_learner_destroy>>;

context create_context()
{
    glnn_context *handle = nullptr;
    check(glnn_context_create(nullptr, &handle));
    return context(handle);
}

// Calls the create function of a type that needs a context.
template <typename Owner, typename Create, typename Description>
Owner make(Create create, const context &ctx, const Description &desc)
{
    typename Owner::pointer handle = nullptr;
    check(create(ctx.get(), &desc, &handle));
    return Owner(handle);
}

constexpr std::array<float, 8> inputs = {0, 0, 0, 1, 1, 0, 1, 1};
constexpr std::array<float, 4> targets = {0, 1, 1, 0};

// Descriptions begin as zeros, which mean the defaults.
glnn_dataset_desc describe_patterns()
{
    glnn_dataset_desc desc = {};
    desc.samples = 4;
    desc.features = 2;
    desc.inputs = inputs.data();
    desc.targets = targets.data();
    desc.outputs = 1;
    return desc;
}

glnn_network_desc describe_layers()
{
    glnn_network_desc desc = {};
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

template <typename Samples> std::vector<float> predict(const network &of, const Samples &samples)
{
    std::vector<float> outputs(samples.size() / 2);
    const auto count = static_cast<int>(outputs.size());
    check(glnn_learner_predict(of.get(), count, samples.data(), outputs.data(), nullptr));
    return outputs;
}

} // namespace

int main()
try {
    const context ctx = create_context();
    const dataset patterns = make<dataset>(glnn_dataset_create, ctx, describe_patterns());
    const network net = make<network>(glnn_network_create, ctx, describe_layers());

    glnn_train_desc training = {};
    training.epochs = 1000;
    training.batch = 4;
    training.schedule.rate = 0.5f;
    check(glnn_learner_train(net.get(), patterns.get(), &training, nullptr));

    const std::vector<float> outputs = predict(net, inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        std::printf("%g xor %g = %.3f\n", static_cast<double>(inputs[2 * i]),
                    static_cast<double>(inputs[2 * i + 1]), static_cast<double>(outputs[i]));

    // An input that is not a finite number makes the library fail, and the program catch an error.
    try {
        predict(net, std::vector<float>{0, std::numeric_limits<float>::infinity()});
    } catch (const error &refused) {
        std::printf("%s: %s\n", glnn_status_name(refused.status), refused.what());
    }
    return 0;
} catch (const std::exception &failure) {
    std::fprintf(stderr, "error: %s\n", failure.what());
    return 1;
}
